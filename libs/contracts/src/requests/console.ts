import { z } from 'zod';
import { id, isoTime, language } from '../fields.ts';
import { partnerPrincipal, staffRole } from '../principal.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { activeIds } from './identity.ts';

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
  /** Of the member, else of the partner; null: neither has one. */
  time_zone: z.string().max(64).nullable().default(null),
  /** The language that the member reads. */
  language: language.default('en'),
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

/**
 * What a sign-in still needs before it opens a session: a code of the second factor, or a second factor that the firm requires and the
 * member does not have yet. `token` is of this sign-in alone and opens nothing else.
 */
const signInStep = z.object({
  token,
  kind: z.enum(['code', 'set_up']).register(unknownValues, { readAs: 'code' }),
  expires_at: isoTime,
});

/** One of `session` and `step`. */
export const acceptInvitationReply = z.object({
  invitation,
  session: consoleSessionReply.nullable(),
  step: signInStep.nullable(),
});

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

/** Without a session the sign-in has another step, or the member has to choose a partner. */
export const staffSignInReply = z.object({
  session: consoleSessionReply.nullable(),
  step: signInStep.nullable(),
  choices: z.array(z.object({ partner_id: id, partner_name: z.string() })),
});

/** The key of an authenticator app, while it is set up: in base32, and as the `otpauth://` address that such apps open. */
const factorKey = z.object({ text: z.string().max(64), uri: z.string().max(1_024) });

/** What a code of the second factor is for: of the app, or a recovery code. */
const factorCode = z.string().max(64);

const recoveryCodes = z.array(z.string()).max(10);

export const signInStepRequest = z.object({ token });
/** `key`: to set up a second factor. */
export const signInStepReply = z.object({
  kind: signInStep.shape.kind,
  partner_name: z.string(),
  key: factorKey.nullable(),
});

export const finishSignInRequest = z.object({ token, code: factorCode, ...place });
/** `recovery_codes`: of a second factor that was set up; they are in no other answer. */
export const finishSignInReply = z.object({ session: consoleSessionReply, recovery_codes: recoveryCodes });

/** The second factor of the member of a session. `key`: of one that is being set up and does not work yet. */
export const secondFactorReply = z.object({
  since: isoTime.nullable(),
  recovery_codes_left: z.int(),
  is_required: z.boolean(),
  key: factorKey.nullable(),
});
export const confirmSecondFactorRequest = z.object({ token, code: factorCode, address: z.string().max(64) });
export const confirmSecondFactorReply = z.object({ recovery_codes: recoveryCodes });
export const turnOffSecondFactorRequest = z.object({ token, address: z.string().max(64) });

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

/** The secret address of a member's calendar: since when there is one; null: none. `is_allowed`: whether the firm allows one. */
export const ownCalendarReply = z.object({
  created_at: isoTime.nullable(),
  is_allowed: z.boolean().default(true),
});

/** `create` also replaces: the address before it ends. `token`: of the member's session; `address`: of the caller. */
export const changeCalendarRequest = z.object({
  token,
  action: z.enum(['create', 'end']).register(unknownValues, { readAs: 'end' }),
  address: z.string().max(64),
});
/** The secret of the new address, told once; null after an end. */
export const changeCalendarReply = z.object({ secret: z.string().max(64).nullable() });

/** Whose calendar the secret of an address opens; null: nobody's, or nobody's any more. */
export const calendarRequest = z.object({ secret: z.string().min(1).max(64) });
/** `active_ids`: the firm's active members, as `cases.due` takes them. */
export const calendarReply = z.object({
  member: z.object({ partner_id: id, staff_id: id, active_ids: activeIds }).nullable(),
});

export type Invitation = z.infer<typeof invitation>;
export type OwnCalendarReply = z.infer<typeof ownCalendarReply>;
export type StaffSessionsReply = z.infer<typeof staffSessionsReply>;
export type ConsoleSessionReply = z.infer<typeof consoleSessionReply>;
export type SignInStep = z.infer<typeof signInStep>;
export type FactorKey = z.infer<typeof factorKey>;
export type SecondFactorReply = z.infer<typeof secondFactorReply>;
