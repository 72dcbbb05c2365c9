import type { Express, NextFunction, Request, Response } from 'express';
import type { Context } from '../../../context.ts';
import { addressLimit } from '../../../limits/address-limit.ts';
import { pageHeaders } from '../../../pages/layout.ts';
import { signedOutView, signInView } from '../../../pages/people/sign-in.ts';
import { count } from '../../authorise-request.ts';
import { createCookies } from '../cookies.ts';
import { assertSameOrigin } from '../same-origin.ts';
import { sendFailure, sendView } from '../send-page.ts';
import type { EntryVisit } from './entry-visit.ts';
import type { PersonKind } from './kind.ts';
import { chosenLanguage, keepLanguage } from './language.ts';
import { requestCode, showCode, takeCode } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { openAccount, showWelcome } from './welcome.ts';

type Work = (visit: EntryVisit) => Promise<void>;

/** Pages for people without a session: the way in and out. */
export function mountPersonEntry(app: Express, ctx: Context, kind: PersonKind): void {
  const cookies = createCookies(ctx.config.PUBLIC_URL);
  const guarded = (work: Work) => async (req: Request, res: Response) => {
    res.locals.operation = `page ${req.path}`;
    res.set(pageHeaders);
    keepLanguage(cookies, req, res);
    try {
      await count(addressLimit(ctx.limits, req.ip ?? 'unknown'), res);
      if (req.method === 'POST') assertSameOrigin(req, ctx.config.PUBLIC_URL);
      await work({ ctx, kind, cookies, req, res, language: chosenLanguage(cookies, req) });
    } catch (error) {
      sendFailure({ ctx, kind, req, res }, null, error);
    }
  };
  app.get('/', onlyBrowsers, guarded(showStart));
  // The addresses of forms: a browser that shows what a form answered asks for them when the page is loaded again.
  app.get(['/sign-in', '/sign-out', '/data/delete'], guarded(showStartAgain));
  app.post('/sign-in', guarded(requestCode));
  app.get('/sign-in/code', guarded(showCode));
  app.post('/sign-in/code', guarded(takeCode));
  app.get('/welcome', guarded(showWelcome));
  app.post('/welcome', guarded(openAccount));
  app.post('/sign-out', guarded(signOut));
  app.get(
    '/signed-out',
    guarded(async (visit) => sendView(visit, null, signedOutView(visit.language))),
  );
}

/** Programs, which do not ask for HTML by name, get the documents of the API. */
function onlyBrowsers(req: Request, res: Response, next: NextFunction): void {
  res.vary('Accept');
  next(req.get('accept')?.includes('text/html') ? undefined : 'route');
}

async function showStart(visit: EntryVisit): Promise<void> {
  const { ctx, kind, req, res, language } = visit;
  if (kind.hasCookie(req)) res.redirect(303, '/cases');
  else sendView(visit, null, signInView(language, { operator: ctx.config.OPERATOR_NAME }));
}

async function showStartAgain({ res }: EntryVisit): Promise<void> {
  res.redirect(303, '/');
}
