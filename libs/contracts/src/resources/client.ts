import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { scope } from '../principal.ts';

/** What a partner may use at most. */
const limits = z.strictObject({
  requests_per_minute: z.int(),
  webhooks: z.int(),
  active_cases_per_user: z.int(),
  /** Null while the monitor, whose number it is, does not answer. */
  live_checks_per_day: z.int().nullable(),
});

/** The partner's own profile (interface.md §4, profile), ISO times. */
export const client = z.strictObject({
  id,
  name: z.string().max(120),
  email: z.string().max(254),
  logo_url: z.string().max(2_048).nullable(),
  status: z.enum(['active', 'suspended']),
  /** Of the key that asks. */
  scopes: z.array(scope).max(20),
  notify_unverified: z.boolean(),
  case_url: z.string().nullable(),
  reply_to: z.string().nullable(),
  support_contact: z.string().nullable(),
  user_count: z.int(),
  case_count: z.int(),
  limits,
  created_at: isoTime,
  updated_at: isoTime,
});

/** The same in GET under /v1/client. */
export const clientRead = client.extend({ created_at: partnerTime, updated_at: partnerTime });

export type Client = z.infer<typeof client>;
