import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { partnerPrincipal, staffRole } from '../principal.ts';

/** The token of a console link or of a console session. */
const token = z.string().min(1).max(256);

/** `token` opens the console until `expires_at`; after `renew_at` the gateway replaces it. */
export const consoleSessionReply = z.object({
  token,
  principal: partnerPrincipal,
  session_id: z.string(),
  actor: z.string(),
  partner_name: z.string(),
  partner_logo_url: z.string().nullable(),
  read_only: z.boolean(),
  renew_at: isoTime,
  expires_at: isoTime,
});

/** Uses up a console link. */
export const openConsoleRequest = z.object({ link_token: token });

/** Whose console an unused link opens, for the page with its button; null if the link cannot be used. */
export const consoleLinkReply = z.object({
  link: z.object({ partner_name: z.string(), actor: z.string(), read_only: z.boolean() }).nullable(),
});

/** To find, renew or end a session. A renewed token works for 30 more seconds. */
export const consoleSessionRequest = z.object({ token });

export const endConsoleReply = z.object({ ended: z.boolean() });

/** To look at an invitation, or to accept it: that makes the member active, and proves the address. */
export const invitationRequest = z.object({ token });

const invitation = z.object({ partner_name: z.string(), name: z.string(), role: staffRole });

/** Null: the invitation cannot be accepted, or no longer. */
export const invitationReply = z.object({ invitation: invitation.nullable() });
/** Where somebody signs in. `browser`: a name from a closed list of the gateway, such as `Firefox on Windows`. */
const place = { address: z.string().max(64), browser: z.string().max(60) };

export const acceptInvitationRequest = z.object({ token, ...place });
export const acceptInvitationReply = z.object({ invitation, session: consoleSessionReply });

/** `address`: of the caller. */
export const staffCodeRequest = z.object({ email: z.string().max(254), address: z.string().max(64) });
export const staffCodeReply = z.object({ request_id: z.string(), expires_in: z.int() });

/** `partner_id`: which partner, if the address is a member's at several. `request_id` null: codes asked for from the same network. */
export const staffSignInRequest = z.object({
  email: z.string().max(254),
  code: z.string().max(64),
  request_id: z.string().max(64).nullable(),
  partner_id: id.nullable(),
  ...place,
});

/** Without a session the member has to choose a partner. */
export const staffSignInReply = z.object({
  session: consoleSessionReply.nullable(),
  choices: z.array(z.object({ partner_id: id, partner_name: z.string() })),
});

/** The link in the mail to a new reply-to address of a partner: to look, and to confirm. */
export const replyToRequest = z.object({ token });
export const replyToReply = z.object({
  request: z.object({ partner_name: z.string(), email: z.string() }).nullable(),
});
export const confirmReplyToReply = z.object({ partner_name: z.string() });

/** The live sessions of the member of a session. */
export const staffSessionsReply = z.object({
  sessions: z
    .array(
      z.object({
        id: z.string(),
        signed_in_at: isoTime,
        last_used_at: isoTime,
        browser: z.string(),
        network: z.string().nullable(),
        is_own: z.boolean(),
      }),
    )
    .max(100),
});

/** Another session of the same member. */
export const endOtherStaffSessionRequest = z.object({ token, session_id: z.string().min(1).max(64) });

export const endStaffSessionRequest = z.object({ token, all: z.boolean() });

export type Invitation = z.infer<typeof invitation>;
export type StaffSessionsReply = z.infer<typeof staffSessionsReply>;
export type ConsoleSessionReply = z.infer<typeof consoleSessionReply>;
