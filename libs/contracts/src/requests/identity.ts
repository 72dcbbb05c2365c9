import { z } from 'zod';
import { id, isoTime, language, userStatus } from '../fields.ts';
import { partnerPrincipal, staffRole } from '../principal.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { alerts } from '../resources/alerts.ts';
import { staffStatus } from '../resources/staff.ts';
import { mailPartner } from './notifier.ts';

/** The secret never travels, only its SHA-256 (hex). */
export const authenticateRequest = z.object({
  api_key: z.string().max(128),
  secret_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  address: z.string().max(64),
});
/** `good_until`: expiry; a revocation can come before. */
export const authenticateReply = z.object({ principal: partnerPrincipal, good_until: isoTime.nullable() });

/** What services may ask of a person. `partner_…`: what the partner of the person has set; null for a direct user. */
export const person = z.object({
  id,
  partner_id: id.nullable(),
  email: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  status: userStatus,
  preferred_language: language,
  notify_by_email: z.boolean(),
  notify_by_whatsapp: z.boolean(),
  whatsapp_consent_at: isoTime.nullable(),
  email_verified_at: isoTime.nullable(),
  version: z.int().min(1),
  created_at: isoTime,
  updated_at: isoTime,
  partner_name: z.string().nullable(),
  /** Our copy of the logo. */
  partner_logo_url: z.string().nullable(),
  /** Whether addresses that are not verified get messages, too; false for a direct user. */
  partner_notify_unverified: z.boolean(),
  partner_case_url: z.string().nullable(),
  partner_reply_to: z.string().nullable(),
  partner_support_contact: z.string().nullable(),
  /** Of quiet hours. */
  partner_time_zone: z.string().nullable(),
});

/** An answer always has the id, so a field of a newer release adds nothing to it. */
export const personField = person.keyof().register(unknownValues, { readAs: 'id' });

/** Most ids of one question: 200 people with the longest fields fit into a message of NATS (1 MiB). */
export const maxPeople = 200;

/** `partner_id`: only people of this partner. webhooks has to name it. */
export const peopleRequest = z.object({
  ids: z.array(id).min(1).max(maxPeople),
  fields: z.array(personField).min(1),
  partner_id: id.optional(),
});
/** Do not store it. Each person has the id and the fields that were asked for. Who does not exist, or no longer, is absent. */
export const peopleReply = z.object({ people: z.array(person.partial().required({ id: true })) });

/** Most people whom a search finds: a page can show their cases, and further ones are found by more letters (firm.md §3). */
export const maxFound = 200;

/** The people of one partner whose name or address has words that begin as those of `q` do. */
export const findRequest = z.object({ partner_id: id, q: z.string().max(200) });
/** In no order. `more`: there are others. */
export const findReply = z.object({ user_ids: z.array(id).max(maxFound), more: z.boolean() });

/** What services may ask of a member of a partner's staff. `email` null: deleted after the removal. */
export const staffPerson = z.object({
  id,
  email: z.string().nullable(),
  name: z.string(),
  role: staffRole,
  /** `disabled`, too, of who is removed. */
  status: staffStatus,
  language,
  /** Of the member, else of the partner. */
  time_zone: z.string().nullable(),
  removed_at: isoTime.nullable(),
  version: z.int().min(1),
});

/** An answer always has the id, so a field of a newer release adds nothing to it. */
export const staffField = staffPerson.keyof().register(unknownValues, { readAs: 'id' });

/** Most members of one answer. */
export const maxStaff = 200;

/** Most active members in one answer: as many as a firm can have whose alerts matter; it must fit in one message. */
export const maxActiveMembers = maxStaff * 5;

/** The firm's active members: nobody works on a case of anybody else. Missing: on a case without an assignee. */
export const activeIds = z.array(id).max(maxActiveMembers).optional();

/**
 * Members of one partner. With `ids`: these, also who was removed, because acknowledgements and records name them. Without:
 * all who are not removed, in the order of their ids, beginning after the id `after`.
 */
export const staffRequest = z.object({
  partner_id: id,
  ids: z.array(id).min(1).max(maxStaff).optional(),
  after: id.optional(),
  fields: z.array(staffField).min(1),
});
/** Do not store it. Each member has the id and the fields that were asked for. Who does not exist at this partner is absent. */
export const staffReply = z.object({
  staff: z.array(staffPerson.partial().required({ id: true })),
  /** There are more members after the last one. */
  has_more: z.boolean(),
});

/** Whom a firm's alerts reach (firm.md §5). */
export const firmRequest = z.object({ partner_id: id });
/**
 * `firm` null: there is no such partner, or it is suspended: nobody hears anything. `email`: the partner's own address, for what
 * reaches no member. Members are the active ones, in the order of their ids, at most `maxActiveMembers`; `time_zone` is the member's, else the
 * partner's, else null. Do not store it.
 */
export const firmReply = z.object({
  firm: mailPartner
    .extend({ email: z.string(), time_zone: z.string().nullable(), names_in_mails: z.boolean() })
    .nullable(),
  members: z.array(
    z.object({
      id,
      email: z.string(),
      role: staffRole,
      language,
      time_zone: z.string().nullable(),
      alerts,
      away_until: isoTime.nullable(),
    }),
  ),
});
export type FirmReply = z.infer<typeof firmReply>;
export type FirmMember = FirmReply['members'][number];

/** `email`: contact address of a partner; empty if there is none. `case_limit`: of its active cases in all; null: none is set. */
export const partnerRequest = z.object({ partner_id: id });
export const partnerReply = z.object({
  email: z.string(),
  case_limit: z.int().min(1).nullable().default(null),
});

/** `name`: the last part of `shown_logo_url`. `content`: base64; null: there is no such logo. */
export const logoRequest = z.object({ name: z.string().max(64) });
export const logoReply = z.object({ content: z.string().nullable() });

/** Keys for unknown algorithms are ignored (RFC 7517 §5). */
const tokenKey = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    kid: z.string(),
    use: z.literal('sig'),
    alg: z.literal('ES256'),
  })
  .register(unknownValues, { leftOut: true });

/** The keys that verify bearer tokens (RFC 7517). */
export const jwksRequest = z.object({});
export const jwksReply = z.object({
  issuer: z.string(),
  audience: z.string(),
  keys: z.array(tokenKey),
});

/** Ended sessions, and users who may not sign in, get an error. */
export const sessionRequest = z.object({ session_id: z.string().max(64), user_id: id });
export const sessionReply = z.object({
  user_id: id,
  partner_id: id.nullable(),
  signed_in_at: z.int(),
  good_until: isoTime,
});

/** A person as one row of an import names them. Null: the file does not say. */
export const importedPerson = z.object({
  email: z.string().max(254),
  name: z.string().max(120),
  phone: z.string().max(16).nullable(),
  preferred_language: language.nullable(),
  notify_by_email: z.boolean().nullable(),
  /** With the consent of the person, which the row states too. */
  notify_by_whatsapp: z.boolean().nullable(),
});

/** Rows before that one person can have and that change something: the first makes the person, each other fills an empty field. */
export const maxEarlier = 8;

/**
 * Makes the person of a row, or fills what is empty of the one who is there (firm.md §6). The answer is kept under `key`, and
 * given again for it. `writes` false: only says what would be done, after the rows `earlier`, which are not written either.
 * `expected`: the person who has the address, as the last answer said; another one, or none, is answered `changed`, and nothing
 * is written. `actor`: who imports.
 */
export const upsertPersonRequest = z.object({
  partner_id: id,
  actor: z.object({ key_id: z.string().max(64).nullable(), staff_id: id.nullable() }),
  /** From where, as a record of who did what keeps it. */
  network: z.string().max(64).nullable().optional(),
  /** Of whose row the person is. */
  import_id: id.optional(),
  key: z.string().max(64),
  writes: z.boolean(),
  expected: id.nullable(),
  earlier: z.array(importedPerson).max(maxEarlier),
  person: importedPerson,
  send_verification: z.boolean(),
});
/** `user_id` null: of a person who would be made. `code` and `message`: why the row is refused. */
export const upsertPersonReply = z.object({
  outcome: z
    .enum(['created', 'updated', 'unchanged', 'refused', 'changed'])
    .register(unknownValues, { readAs: 'refused' }),
  code: z.string().max(64).nullable(),
  message: z.string().max(1_000).nullable(),
  user_id: id.nullable(),
  status: userStatus,
  version: z.int().min(0),
  /** The person has another name than the row, and keeps it: families share an address. */
  name_differs: z.boolean(),
});

/** Most people of one import, and most of one command that sends them mails: one transaction. */
export const maxImportedPeople = 10_000;
export const maxVerifications = 20;

/** People of one partner, among these. `since`: who got a verification mail from then on needs no other. */
const importedPeople = { partner_id: id, since: isoTime };
export const unverifiedRequest = z.object({
  ...importedPeople,
  user_ids: z.array(id).max(maxImportedPeople),
});
/** `unverified`: how many can be asked to verify their address and have not; `unsent`: those of them without a mail. */
export const unverifiedReply = z.object({
  unverified: z.int().min(0),
  unsent: z.array(id).max(maxImportedPeople),
});

/** Sends a verification mail to each who has none since then. A repetition sends none twice. */
export const sendVerificationsRequest = z.object({
  ...importedPeople,
  user_ids: z.array(id).min(1).max(maxVerifications),
});
/** `left`: how many still have no mail. `next_at`: the partner's limit is reached until then. */
export const sendVerificationsReply = z.object({
  sent: z.int().min(0),
  left: z.int().min(0),
  next_at: isoTime.nullable(),
});

export type ImportedPerson = z.infer<typeof importedPerson>;
export type Person = z.infer<typeof person>;
export type PersonField = z.infer<typeof personField>;
/** A person as far as a caller asked. */
export type PersonWith<F extends PersonField> = Pick<Person, F | 'id'>;
export type StaffPerson = z.infer<typeof staffPerson>;
export type StaffField = z.infer<typeof staffField>;
export type JwksReply = z.infer<typeof jwksReply>;
