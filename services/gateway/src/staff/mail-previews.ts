import { type Language, language, type Success } from '@casewatch/contracts';
import { ApiError, html } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import type { Context } from '../context.ts';
import { askServices } from '../http/pages/ask-service.ts';
import { guardOf } from '../http/pages/console-entry.ts';
import type { ConsoleKind } from '../http/pages/console-kind.ts';
import { sendView } from '../http/pages/send-page.ts';
import { languages } from '../pages/console/edit-user.ts';
import { pageHead } from '../pages/parts/blocks.ts';
import { table } from '../pages/parts/table.ts';

/** A mail has its own styles, and shows the logo of the partner; nothing else, and no form or script. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What people of a firm get, under its name and logo (firm.md §7): a list, and each mail as a page. */
export function mountMailPreviews(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);

  async function load(req: Request, res: Response, shown: Language) {
    const session = await kind.load(req, res, () => undefined);
    const { signal } = new AbortController();
    const [policy, id] = kind.limitOf(session);
    const asker = { principal: kind.principalOf(session), address: req.ip ?? 'unknown', signal };
    const ask = askServices(ctx, { ...asker, caller: `${policy} ${id}` });
    const { client }: Success<'get_profile'> = await ask('get_profile');
    const { name, shown_logo_url: logo_url, support_contact } = client;
    const partner = { name, logo_url, support_contact };
    return { session, ...(await ctx.bus.request('notifier.previews', { language: shown, partner })) };
  }

  app.get(
    '/console/mails',
    guarded(async (req, res) => {
      const { session, mails } = await load(req, res, 'en');
      const main = html`${pageHead({
        title: 'Mails',
        sub: 'What your users and your staff get, under your name and logo. The cases in them are made up.',
        back: { href: '/console/settings', text: 'Settings' },
      })}
${table({
  caption: 'Mails',
  head: ['Subject', 'Show'],
  rows: mails.map(({ name, subject }) => [
    subject,
    html`${language.options.map((one, i) => html`${i > 0 && ' · '}<a href="/console/mails/${name}?language=${one}">${languages[one]}</a>`)}`,
  ]),
})}`;
      sendView({ kind, req, res }, session, { title: 'Mails', main });
    }),
  );
  app.get(
    '/console/mails/:name',
    guarded(async (req, res) => {
      const shown = language.catch('en').parse(req.query.language);
      const { mails } = await load(req, res, shown);
      const mail = mails.find(({ name }) => name === req.params.name);
      if (!mail) throw new ApiError('route_not_found', { message: 'There is no such page.' });
      res.set('content-security-policy', mailPolicy).type('html').send(mail.html);
    }),
  );
}
