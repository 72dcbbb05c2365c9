import { z } from 'zod';
import { id, isoTime, language, partnerTime } from '../fields.ts';
import { staffRole } from '../principal.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { alerts } from './alerts.ts';
import { auditEntry } from './audit-entry.ts';
import { notifyStatus } from './status-update.ts';

/** `invited`: until the invitation is accepted; `disabled`: has no access, and can get it again. */
export const staffStatus = z
  .enum(['invited', 'active', 'disabled'])
  .register(unknownValues, { readAs: 'disabled' });

/** A person who works at a partner (firm.md §1). `time_zone` null: that of the partner. */
export const staffMember = z.strictObject({
  id,
  email: z.string().max(254),
  name: z.string().max(120),
  role: staffRole,
  status: staffStatus,
  language,
  time_zone: z.string().max(64).nullable(),
  /** Whether the member signs in with a second factor. */
  second_factor: z.boolean(),
  alerts,
  /** Until then the owners hear what the member would hear; null: not away. */
  away_until: isoTime.nullable(),
  last_seen_at: isoTime.nullable(),
  created_at: isoTime,
  updated_at: isoTime,
});

export const staffMemberRead = staffMember.extend({
  away_until: partnerTime.nullable(),
  last_seen_at: partnerTime.nullable(),
  created_at: partnerTime,
  updated_at: partnerTime,
});

/** A list of assignees has no more. */
export const maxAssignees = 1_000;

/** A member as every colleague sees one. */
export const namedMember = z.strictObject({ id, name: z.string().max(120) });

/** An invitation that was sent, or is about to be; without its token. */
const staffInvitation = z.strictObject({
  created_at: partnerTime,
  sent_at: partnerTime.nullable(),
  expires_at: partnerTime,
  /** When it was accepted. */
  used_at: partnerTime.nullable(),
  /** When a change or a newer invitation ended it. */
  void_at: partnerTime.nullable(),
});

const staffSession = z.strictObject({
  signed_in_at: partnerTime,
  last_used_at: partnerTime,
  browser: z.string().max(120),
  network: z.string().max(64).nullable(),
  expires_at: partnerTime,
  ended_at: partnerTime.nullable(),
});

/** A mail to the member about a sign-in, changed settings or the deletion of the partner; kept about a week. */
const staffNotice = z.strictObject({
  kind: z.enum(['signed_in', 'settings_changed', 'second_factor_changed', 'partner_deletion']),
  created_at: partnerTime,
  sent_at: partnerTime.nullable(),
});

/** A code for the sign-in that was asked for with the member's address; without the code. */
const staffCode = z.strictObject({
  created_at: partnerTime,
  expires_at: partnerTime,
  used_at: partnerTime.nullable(),
});

const staffAcknowledgement = z.strictObject({
  case_id: id,
  version: z.string().max(64),
  acknowledged_at: partnerTime,
});

const staffAnswer = z.strictObject({ case_id: id, sent_at: partnerTime });

/** Of what a mail told: a change of a case, a state of its monitoring, or that the day for an answer comes near. */
export const alertKind = z
  .enum(['change', 'monitoring', 'reminder'])
  .register(unknownValues, { readAs: 'change' });

/** Something of which the member was told by mail, or is about to be; kept 90 days. */
const staffAlert = z.strictObject({
  kind: alertKind,
  case_id: id,
  status: notifyStatus,
  sent_at: partnerTime.nullable(),
});

const staffReview = z.strictObject({ change_id: id, case_id: id, reviewed_at: partnerTime });

/** Most rows of each long list in an export. */
export const maxExported = 10_000;

/** Most rows of each list in an export. Of `records` half of them are what the member did, half what was done to the member. */
export const longestExported = {
  invitations: 1_000,
  sessions: 1_000,
  sign_in_codes: 1_000,
  notices: 1_000,
  records: maxExported,
  alerts_sent: maxExported,
  acknowledgements: maxExported,
  reviews: maxExported,
  answers_sent: maxExported,
  imports: 500,
  assigned_case_ids: maxExported,
} as const;

export type ExportedList = keyof typeof longestExported;
const exportedLists = Object.keys(longestExported) as [ExportedList, ...ExportedList[]];

/** Everything that is stored about a member. After a removal `email` is null from the day on which the address is deleted. */
export const staffExport = staffMemberRead.extend({
  email: z.string().max(254).nullable(),
  accepted_at: partnerTime.nullable(),
  /** When the alerts were last changed; null: never. */
  alerts_changed_at: partnerTime.nullable(),
  second_factor_since: partnerTime.nullable(),
  calendar_address_since: partnerTime.nullable(),
  removed_at: partnerTime.nullable(),
  invitations: z.array(staffInvitation).max(longestExported.invitations),
  sessions: z.array(staffSession).max(longestExported.sessions),
  sign_in_codes: z.array(staffCode).max(longestExported.sign_in_codes),
  notices: z.array(staffNotice).max(longestExported.notices),
  /** What the member did, and what was done to the member; without names of others. */
  records: z.array(auditEntry).max(longestExported.records),
  alerts_sent: z.array(staffAlert).max(longestExported.alerts_sent),
  acknowledgements: z.array(staffAcknowledgement).max(longestExported.acknowledgements),
  reviews: z.array(staffReview).max(longestExported.reviews),
  /** The cases whose answer the member noted as sent. */
  answers_sent: z.array(staffAnswer).max(longestExported.answers_sent),
  /** The member's imports of the last 90 days. */
  imports: z.array(z.strictObject({ import_id: id, created_at: partnerTime })).max(longestExported.imports),
  assigned_case_ids: z.array(id).max(longestExported.assigned_case_ids),
  /** The lists that are as long as they can be: there may be more. */
  cut_off: z.array(z.enum(exportedLists)).max(exportedLists.length),
});

export type StaffStatus = z.infer<typeof staffStatus>;
export type StaffMember = z.infer<typeof staffMember>;
export type StaffExport = z.infer<typeof staffExport>;
