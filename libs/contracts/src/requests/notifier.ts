import { z } from 'zod';
import { id, isoTime, language } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { partnerSetting } from '../resources/client.ts';
import { alertKind } from '../resources/staff.ts';
import { notifyStatus } from '../resources/status-update.ts';

const common = {
  /** Idempotency key: a mail is sent once per id. */
  message_id: z.string().min(8).max(128),
  to: z.string().max(254),
  language,
  expires_at: isoTime,
};

/** Way of a failing endpoint until it is disabled (webhooks.md, Delivery). */
const endpointStage = z.enum(['half', 'nine_tenths', 'disabled']).register(unknownValues, { readAs: 'half' });

/** Webhooks asks for this mail to a partner, and for no other: an endpoint fails, or is disabled. */
export const endpointFailingRequest = z.object({
  ...common,
  /** Begins so that it takes the place of no other mail. */
  message_id: common.message_id.startsWith('endpoint-'),
  stage: endpointStage,
  webhook_id: id,
  host: z.string().max(253),
  description: z.string().max(255),
  failing_since: isoTime,
  /** When the endpoint will be disabled at the earliest, or was disabled. */
  disabled_at: isoTime,
  /** Error class of the last attempt, such as `timeout` or `http_500`. */
  error: z.string().max(64).nullable(),
});

/** What a mail shows of the partner of its reader. `logo_url`: our copy of the logo. */
export const mailPartner = z.object({
  name: z.string(),
  logo_url: z.string().nullable(),
  support_contact: z.string().nullable(),
  reply_to: z.string().nullable(),
});

/** `partner`: null or missing for a person without a partner; then the mail is ours alone. */
const toPerson = { ...common, partner: mailPartner.nullish() };

/** Mails of identity. They contain no text that a caller typed: the operator sets what is shown of a partner (notifier.md). */
export const sendRequest = z.discriminatedUnion('kind', [
  /** `for_staff`: the code signs a member in to the console; without it, a person to the own account. */
  z.object({
    ...toPerson,
    kind: z.literal('login_code'),
    code: z.string().regex(/^\d{6}$/),
    for_staff: z.boolean().optional(),
  }),
  z.object({ ...toPerson, kind: z.literal('verify_email'), link: z.url(), user_id: id }),
  z.object({ ...toPerson, kind: z.literal('address_changed'), link: z.url(), user_id: id }),
  z.object({ ...toPerson, kind: z.literal('address_taken'), user_id: id }),
  /** To the new address: the link confirms the change. */
  z.object({ ...toPerson, kind: z.literal('confirm_new_address'), link: z.url(), user_id: id }),
  /** To the current address: the link allows or stops the change. */
  z.object({ ...toPerson, kind: z.literal('address_change_asked'), link: z.url(), user_id: id }),
]);

/** Mails of identity to members of partners' staff, whose ids are others than those of users. They contain no text that a caller typed, too. */
const toMember = { ...toPerson, link: z.url(), staff_id: id };

/** What a member is told of the own second factor. `reset`: an owner or the operator removed it. */
export const secondFactorChange = z
  .enum(['on', 'off', 'reset', 'recovery_code_used'])
  .register(unknownValues, { readAs: 'reset' });

export const staffMailRequest = z.discriminatedUnion('kind', [
  z.object({ ...toMember, kind: z.literal('staff_invitation') }),
  /** Of a sign-in from a network or browser that is new for the member; the link shows the sessions. */
  z.object({ ...toMember, kind: z.literal('staff_signed_in') }),
  /** To an owner. */
  z.object({
    ...toMember,
    kind: z.literal('settings_changed'),
    settings: z.array(partnerSetting),
  }),
  /** `codes_left`: recovery codes that still work. */
  z.object({
    ...toMember,
    kind: z.literal('second_factor_changed'),
    change: secondFactorChange,
    codes_left: z.int(),
  }),
]);

/** To the reply-to address that a partner asked for: perhaps nobody's of the partner. */
export const replyToMailRequest = z.object({
  ...toPerson,
  kind: z.literal('confirm_reply_to'),
  link: z.url(),
});

/** Mails of identity to people who arrive: they contain no text that a caller typed. */
export const arrivalMailRequest = z.discriminatedUnion('kind', [
  /** To an address that nobody has: the link opens an account. */
  z.object({ ...toPerson, kind: z.literal('welcome'), link: z.url() }),
  /** To a client of a partner who has not confirmed the address. */
  z.object({ ...toPerson, kind: z.literal('verify_reminder'), link: z.url(), user_id: id }),
]);

/** To an owner: the partner and all its data are erased after `ends_at`. Without a link: nobody of the partner can sign in any more. */
export const deletionMailRequest = z.object({
  ...toPerson,
  staff_id: id,
  kind: z.literal('partner_deletion'),
  ends_at: isoTime,
});

/** The mails of a partner with made-up cases, as its people get them. `html`: the whole mail. */
export const previewsRequest = z.object({ language, partner: mailPartner.omit({ reply_to: true }) });
export const mailPreview = z.object({ name: z.string(), subject: z.string(), html: z.string() });
export const previewsReply = z.object({ mails: z.array(mailPreview).max(50) });
export type MailPreview = z.infer<typeof mailPreview>;

/** Rows of one page of `notifier.of_staff`. */
export const maxStaffAlerts = 1_000;

export const maxUnreachedCases = 10;

/** Whom urgent changes did not reach (firm.md §5). */
export const unreachedRequest = z.object({ partner_id: id });
/**
 * Urgent changes of the last 7 days that reached no member: at most the partner's own address.
 * `count`: changes, at most 1,000; `latest_at`: when it was given up, null where `count` is 0; `case_refs`: `user_case_id`s, newest
 * first, each once.
 */
export const unreachedReply = z.object({
  count: z.int().min(0).max(1_000),
  latest_at: isoTime.nullable(),
  case_refs: z.array(z.string().max(20)).max(maxUnreachedCases),
});
export type Unreached = z.infer<typeof unreachedReply>;

/** What a member was mailed of changes, for the member's export. `after`: the last id that the asker has. */
export const staffAlertsRequest = z.object({ partner_id: id, staff_id: id, after: z.string().max(128) });
/** By id, up to `maxStaffAlerts`; fewer mean that there are no more. `kind`: of what it tells. */
export const staffAlertsReply = z.object({
  alerts: z
    .array(
      z.object({
        id: z.string().max(128),
        kind: alertKind,
        case_id: id,
        status: notifyStatus,
        sent_at: isoTime.nullable(),
      }),
    )
    .max(maxStaffAlerts),
});

/** Accepted means stored. */
export const sendReply = z.object({ accepted: z.literal(true) });

export type MailPartner = z.infer<typeof mailPartner>;
export type SendRequest = z.infer<typeof sendRequest>;
export type DeletionMailRequest = z.infer<typeof deletionMailRequest>;
export type ReplyToMailRequest = z.infer<typeof replyToMailRequest>;
export type ArrivalMailRequest = z.infer<typeof arrivalMailRequest>;
export type StaffMailRequest = z.infer<typeof staffMailRequest>;
export type EndpointStage = z.infer<typeof endpointStage>;
export type SecondFactorChange = z.infer<typeof secondFactorChange>;
