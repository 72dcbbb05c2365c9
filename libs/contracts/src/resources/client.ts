import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { scope } from '../principal.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { alerts } from './alerts.ts';

const limits = z.strictObject({
  requests_per_minute: z.int(),
  webhooks: z.int().describe('Maximum number of webhook endpoints.'),
  active_cases_per_user: z.int(),
  /** Null if the monitor does not answer. */
  live_checks_per_day: z.int().nullable(),
});

/** Why a logo was not taken over. */
export const logoFault = z
  .enum(['address_not_allowed', 'not_reachable', 'redirect', 'too_large', 'not_an_image'])
  .register(unknownValues, { readAs: 'not_reachable' });

/** What a firm sets itself (firm.md §7). */
export const partnerSetting = z
  .enum([
    'logo_url',
    'reply_to',
    'support_contact',
    'case_url',
    'time_zone',
    'second_factor',
    'calendar_addresses',
    'names_in_mails',
    'new_member_alerts',
  ])
  .register(unknownValues, { leftOut: true });
export type PartnerSetting = z.infer<typeof partnerSetting>;

/** Which members must sign in with a second factor; the others may. */
export const secondFactorRule = z.enum(['none', 'owners', 'all']);
export type SecondFactorRule = z.infer<typeof secondFactorRule>;

/** interface.md §4, profile */
export const client = z.strictObject({
  id,
  name: z.string().max(120),
  email: z.string().max(254),
  logo_url: z.string().max(2_048).nullable(),
  shown_logo_url: z.string().max(2_048).nullable(),
  logo_fault: logoFault.nullable(),
  status: z.enum(['active', 'suspended']),
  /** Scopes of the calling key. */
  scopes: z.array(scope).max(20),
  notify_unverified: z.boolean(),
  case_url: z.string().nullable(),
  reply_to: z.string().nullable(),
  /** Waits until its mailbox confirms it. */
  pending_reply_to: z.string().max(254).nullable(),
  support_contact: z.string().nullable(),
  /** Of quiet hours, and of members without a zone of their own. */
  time_zone: z.string().max(64).nullable(),
  /** Whether members may have secret addresses of calendars. */
  calendar_addresses: z.boolean(),
  /** Whether mails to members name the client, in their body alone. */
  names_in_mails: z.boolean(),
  new_member_alerts: alerts.describe('The alerts of members who are invited from now on.'),
  second_factor: secondFactorRule,
  /** At most `maxTotal`, as of lists. Not exact: there are more. */
  user_count: z.int(),
  user_count_is_exact: z.boolean(),
  case_count: z.int(),
  case_count_is_exact: z.boolean(),
  limits,
  created_at: isoTime,
  updated_at: isoTime,
});

export const clientRead = client.extend({ created_at: partnerTime, updated_at: partnerTime });

export type LogoFault = z.infer<typeof logoFault>;
export type Client = z.infer<typeof client>;
