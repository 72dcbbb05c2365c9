import { ApiError, html } from '@casewatch/platform';
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { guardOf } from '../http/pages/console-entry.ts';
import type { ConsoleKind } from '../http/pages/console-kind.ts';
import { readForm } from '../http/pages/read-form.ts';
import { sendView } from '../http/pages/send-page.ts';
import { linkPageHeaders } from '../pages/layout.ts';
import { readLinkToken } from './link-token.ts';

/** Where the link in the mail to a new reply-to address of a partner leads (firm.md §7). The page changes nothing; its button confirms. */
export function mountReplyTo(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);
  app.get(
    '/console/reply-to',
    guarded(async (req, res) => {
      // The address has the token (interface.md §1).
      res.set(linkPageHeaders);
      const token = readLinkToken(req.query.token, 'invalid_verification_token');
      const { request } = await ctx.bus.request('identity.reply_to', { token });
      if (!request) throw new ApiError('invalid_verification_token');
      const main = html`<h1>Confirm ${request.email}</h1>
<p><b>${request.partner_name}</b> wants answers of its clients to come to this address.</p>
<p>If you do not know this organization, close this page.</p>
<form method="post" action="/console/reply-to">
<input type="hidden" name="token" value="${token}">
<button class="button primary" type="submit">Confirm address</button>
</form>`;
      sendView({ kind, req, res }, null, { title: 'Confirm an address', main });
    }),
  );
  app.post(
    '/console/reply-to',
    guarded(async (req, res) => {
      const form = await readForm({ ctx, req, res });
      const token = readLinkToken(form.token, 'invalid_verification_token');
      const { partner_name } = await ctx.bus.request('identity.confirm_reply_to', { token });
      const main = html`<h1>The address is confirmed</h1>
<p>Answers of clients of <b>${partner_name}</b> come to it from now on. You can close this page.</p>`;
      sendView({ kind, req, res }, null, { title: 'Confirmed', main });
    }),
  );
}
