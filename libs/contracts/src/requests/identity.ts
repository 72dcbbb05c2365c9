import { z } from 'zod';
import { id, isoTime, language, partnerStatus, userStatus } from '../fields.ts';
import { partnerPrincipal } from '../principal.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { maxBatch } from './cases.ts';

/** The secret never travels, only its SHA-256 (hex). */
export const authenticateRequest = z.object({
  api_key: z.string().max(128),
  secret_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  address: z.string().max(64),
});
/** `good_until`: expiry; a revocation can come before. */
export const authenticateReply = z.object({ principal: partnerPrincipal, good_until: isoTime.nullable() });

/** Do not store the reply. `more_ids`: users of other calls at the same time. */
export const userRequest = z.object({ user_id: id, more_ids: z.array(id).max(maxBatch).optional() });
export const userReply = z.object({
  id,
  partner_id: id.nullable(),
  partner_name: z.string().nullable(),
  /** Our copy of the partner's logo. */
  partner_logo_url: z.string().nullable(),
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
});

/** `more`: in the order of `more_ids`, null where a user is not found. */
export const userReplyWithMore = userReply.extend({ more: z.array(userReply.nullable()).optional() });

/** For services of partners: users of another partner, and direct users, are not found. */
export const partnerUserRequest = z.object({ user_id: id, partner_id: id });

/** Several of them. `languages_only`: the caller needs no more than languages. */
export const partnerUserBatchRequest = z.object({
  users: z.array(partnerUserRequest).min(1).max(maxBatch),
  languages_only: z.boolean().optional(),
});
/** In the order of the questions, null where a user is not found. With `languages` there are no users. */
export const partnerUserBatchReply = z.object({
  users: z.array(userReply.nullable()),
  languages: z.array(language.nullable()).optional(),
});

const languagePage = z.object({ partner_id: id, user_ids: z.array(id).max(100) });
const languages = z.array(z.object({ id, preferred_language: language }));

/** One page of a list. `more`: pages of other calls at the same time. */
export const partnerUsersRequest = languagePage.extend({ more: z.array(languagePage).max(32).optional() });
/** `more`: in the order of the request's `more`, if it has pages. */
export const partnerUsersReply = z.object({ users: languages, more: z.array(languages).optional() });

export const partnerRequest = z.object({ partner_id: id });
export const partnerReply = z.object({
  id,
  name: z.string(),
  email: z.string(),
  status: partnerStatus,
  logo_url: z.string().nullable(),
  /** Our copy of the logo; null: there is none. Missing: the partner set its logo before there were copies. */
  shown_logo_url: z.string().nullish(),
  notify_unverified: z.boolean(),
  case_url: z.string().nullable(),
  reply_to: z.string().nullable(),
  support_contact: z.string().nullable(),
  /** Of quiet hours. */
  time_zone: z.string().nullable(),
  version: z.int().min(1),
});

/** `name`: the last part of `shown_logo_url`. `content`: base64; null: there is no such logo. */
export const logoRequest = z.object({ name: z.string().max(64) });
export const logoReply = z.object({ content: z.string().nullable() });

/** Users and their partners for messages. Users that do not exist are left out. Do not store the reply. */
export const recipientsRequest = z.object({ user_ids: z.array(id).min(1).max(100) });
export const recipientsReply = z.object({ users: z.array(userReply), partners: z.array(partnerReply) });

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

export type UserReply = z.infer<typeof userReply>;
export type PartnerReply = z.infer<typeof partnerReply>;
export type JwksReply = z.infer<typeof jwksReply>;
export type RecipientsReply = z.infer<typeof recipientsReply>;
