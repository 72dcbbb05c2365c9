import type { Invitation, StaffRole } from '@casewatch/contracts';
import { ApiError, html } from '@casewatch/platform';
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { guardOf } from '../http/pages/console-entry.ts';
import type { ConsoleKind } from '../http/pages/console-kind.ts';
import { readForm } from '../http/pages/read-form.ts';
import { sendView } from '../http/pages/send-page.ts';
import { linkPageHeaders } from '../pages/layout.ts';
import type { View } from '../pages/page.ts';
import { browserName } from './browser-name.ts';
import { readLinkToken } from './link-token.ts';
import { goToStep } from './second-factor-step.ts';

/** Where the link of an invitation leads (firm.md §1). The page changes nothing; its button accepts. */
export function mountInvitation(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);
  app.get(
    '/console/invitation',
    guarded(async (req, res) => {
      // The address has the token (interface.md §1).
      res.set(linkPageHeaders);
      const token = readLinkToken(req.query.token, 'invalid_invitation_token');
      const { invitation } = await ctx.bus.request('identity.invitation', { token });
      if (!invitation) throw new ApiError('invalid_invitation_token');
      sendView({ kind, req, res }, null, invitationView(token, invitation));
    }),
  );
  app.post(
    '/console/invitation',
    guarded(async (req, res) => {
      const form = await readForm({ ctx, req, res });
      const token = readLinkToken(form.token, 'invalid_invitation_token');
      const address = req.ip ?? 'unknown';
      const { session, step } = await ctx.bus.request('identity.accept_invitation', {
        token,
        address,
        browser: browserName(req.get('user-agent')),
      });
      if (step !== null) {
        goToStep(ctx, res, step);
        return;
      }
      if (session === null) throw new ApiError('internal_error', { detail: 'neither session nor step' });
      await kind.enter(req, res, session);
      res.redirect(303, '/console');
    }),
  );
}

const roleTexts: Readonly<Record<StaffRole, string>> = {
  owner: 'an owner, who can do everything',
  editor: 'an editor, who works with users and cases',
  viewer: 'a viewer, who reads users and cases',
};

/** A button, because programs that scan mails open links. */
function invitationView(token: string, { partner_name, name, role }: Invitation): View {
  return {
    title: 'Accept the invitation',
    main: html`<h1>Invitation for ${name}</h1>
<p><b>${partner_name}</b> invites you as ${roleTexts[role]}. What members do is recorded for one year.</p>
<p>If this is not your organization or not you, close this page.</p>
<form method="post" action="/console/invitation">
<input type="hidden" name="token" value="${token}">
<button class="button primary" type="submit">Accept the invitation</button>
</form>`,
  };
}
