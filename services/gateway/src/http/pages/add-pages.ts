import { ApiError, wantsPage } from '@casewatch/platform';
import type { Express } from 'express';
import type { Context } from '../../context.ts';
import { fixedAnswer, serve } from '../../docs/fixed-answer.ts';
import { assets } from '../../pages/assets.ts';
import { consolePages } from '../../pages/console/pages.ts';
import { partsPage } from '../../pages/console/parts-page.ts';
import { pageHeaders } from '../../pages/layout.ts';
import { ownPage } from '../../pages/people/own-page.ts';
import { peoplePages } from '../../pages/people/pages.ts';
import { mountInvitation } from '../../staff/invitation.ts';
import { mountMailPreviews } from '../../staff/mail-previews.ts';
import { mountOwnSecondFactor } from '../../staff/own-second-factor.ts';
import { mountReplyTo } from '../../staff/reply-to.ts';
import { mountSecondFactorStep } from '../../staff/second-factor-step.ts';
import { mountStaffSessions } from '../../staff/sessions.ts';
import { mountStaffSignIn } from '../../staff/sign-in.ts';
import { mountConsoleEntry } from './console-entry.ts';
import { consoleKind } from './console-kind.ts';
import { addCalendar } from '../../staff/calendar.ts';
import { addLogos } from './logos.ts';
import { mountExports } from './console-exports.ts';
import { mountPages } from './mount-pages.ts';
import { mountPersonEntry } from './person/entry.ts';
import { personKind } from './person/kind.ts';
import { sendFailure } from './send-page.ts';

/** A year, seconds: the name of a file changes with its content. */
const immutable = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Pages for browsers: the console of partners, and pages for people. */
export function addPages(app: Express, ctx: Context): void {
  for (const { path, type, text } of assets) {
    const answer = fixedAnswer(type, text, immutable);
    app.get(
      path,
      serve(() => answer),
    );
  }
  addLogos(app, ctx);
  addCalendar(app, ctx);
  const kind = consoleKind(ctx);
  mountConsoleEntry(app, ctx, kind);
  mountInvitation(app, ctx, kind);
  mountStaffSignIn(app, ctx, kind);
  mountSecondFactorStep(app, ctx, kind);
  mountStaffSessions(app, ctx, kind);
  mountOwnSecondFactor(app, ctx, kind);
  mountReplyTo(app, ctx, kind);
  mountMailPreviews(app, ctx, kind);
  mountExports(app, ctx, kind);
  const isDevelopment = ctx.config.NODE_ENV === 'development';
  mountPages(app, { ctx, kind, pages: isDevelopment ? [...consolePages, partsPage] : consolePages });
  const people = personKind(ctx);
  mountPersonEntry(app, ctx, people);
  mountPages(app, { ctx, kind: people, pages: peoplePages });
  leadToPagesOfForms(app);
  app.use('/console', (req, res) => {
    res.set(pageHeaders);
    const error = new ApiError('route_not_found', { message: 'There is no such page.' });
    sendFailure({ ctx, kind, req, res }, null, error);
  });
}

/** The same for the other forms of people as for that of the sign-in (person/entry.ts): loaded again, each leads to its page. */
function leadToPagesOfForms(app: Express): void {
  const shown = new Set(peoplePages.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  for (const { method, path } of peoplePages)
    if (method === 'POST' && !shown.has(path))
      app.get(path, (req, res) => {
        res.redirect(303, ownPage.parse(req.path));
      });
}

/** Stands after everything that the gateway serves: a browser at another address gets a page in its language, not JSON. */
export function addNotFound(app: Express, ctx: Context): void {
  const kind = personKind(ctx);
  app.use((req, res, next) => {
    res.vary('Accept');
    if (!['GET', 'HEAD'].includes(req.method) || !wantsPage(req)) {
      next();
      return;
    }
    res.set(pageHeaders);
    sendFailure({ ctx, kind, req, res }, null, new ApiError('route_not_found'));
  });
}
