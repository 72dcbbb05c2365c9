import { z } from 'zod';
import { id, isoTime, language, partnerStatus, userStatus } from '../fields.ts';
import { partnerPrincipal } from '../principal.ts';
import { unknownValues } from '../reading/unknown-values.ts';

/** A partner's keys as the gateway saw them: the secret itself never travels, only its SHA-256 (hex). */
export const authenticateRequest = z.object({
  api_key: z.string().max(128),
  secret_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  address: z.string().max(64),
});
/** `good_until`: when the pair expires; it may be trusted until then unless it is revoked before. */
export const authenticateReply = z.object({ principal: partnerPrincipal, good_until: isoTime.nullable() });

/** Everything about a user that another service may need at that moment; keep none of it. */
export const userRequest = z.object({ user_id: id });
export const userReply = z.object({
  id,
  partner_id: id.nullable(),
  partner_name: z.string().nullable(),
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

/** The same for a service that deals with partners alone: another partner's user, or a direct one, is not found. */
export const partnerUserRequest = z.object({ user_id: id, partner_id: id });

/** As many users of one partner as a page of a list may name. */
export const partnerUsersRequest = z.object({ partner_id: id, user_ids: z.array(id).max(100) });
/** Those of them that exist and are that partner's. */
export const partnerUsersReply = z.object({ users: z.array(z.object({ id, preferred_language: language })) });

/** What mails and profiles need to know of a partner. */
export const partnerRequest = z.object({ partner_id: id });
export const partnerReply = z.object({
  id,
  name: z.string(),
  email: z.string(),
  status: partnerStatus,
  logo_url: z.string().nullable(),
  notify_unverified: z.boolean(),
  case_url: z.string().nullable(),
  reply_to: z.string().nullable(),
  support_contact: z.string().nullable(),
  version: z.int().min(1),
});

/** A key for another algorithm is of no use to a reader that does not know it (RFC 7517, section 5). */
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

/** The public keys that verify bearer tokens (RFC 7517), and who signs with them. */
export const jwksRequest = z.object({});
export const jwksReply = z.object({
  issuer: z.string(),
  audience: z.string(),
  keys: z.array(tokenKey),
});

/** Whether a session still holds: ended ones and users who may not sign in answer an error. */
export const sessionRequest = z.object({ session_id: z.string().max(64), user_id: id });
export const sessionReply = z.object({
  user_id: id,
  partner_id: id.nullable(),
  signed_in_at: z.int(),
  /** When the session ends by itself. */
  good_until: isoTime,
});

export type UserReply = z.infer<typeof userReply>;
export type PartnerReply = z.infer<typeof partnerReply>;
export type JwksReply = z.infer<typeof jwksReply>;
