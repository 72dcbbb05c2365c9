import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';

/** What kind of change a StatusUpdate is (monitor.md, "What counts as a change"). */
export const updateKind = z
  .enum(['baseline', 'status', 'details', 'translation', 'flap'])
  // Whether people are told is in `skip_reason`; mails compare the titles.
  .register(unknownValues, { readAs: 'status' });

/** States of a notification on one channel (notifier.md). */
export const notifyStatus = z
  .enum(['pending', 'sending', 'sent', 'delivered', 'failed', 'skipped'])
  .register(unknownValues, { readAs: 'pending' });

export const channel = z.enum(['email', 'whatsapp']);

/** One earlier status in the government's history; `date` is `YYYY-MM-DD` as the government gives it. */
export const historyEntry = z.strictObject({
  date: z.string(),
  status_code: z.string(),
  status_code_es: z.string().nullable(),
  status_code_pt: z.string().nullable(),
});

/**
 * What the government said, without ids, times of ours or notify fields. `status_code` is its title,
 * `status_description` its text without markup; `_es` from the government, else our table; `_pt` from our table.
 * Dates without a zone are taken as UTC (upstream.md); IOE receipts have none.
 */
export const statusFacts = z.strictObject({
  status_code: z.string(),
  status_description: z.string(),
  form_type: z.string().nullable(),
  status_code_es: z.string().nullable(),
  status_description_es: z.string().nullable(),
  status_code_pt: z.string().nullable(),
  status_description_pt: z.string().nullable(),
  status_slug: z.string(),
  category: z.string(),
  submitted_date: isoTime.nullable(),
  modified_date: isoTime.nullable(),
  history: z.array(historyEntry),
});

/** `latest_update`: the newest StatusUpdate without its notify fields (interface.md §3). */
export const latestUpdate = statusFacts.extend({
  id,
  kind: updateKind,
  detail_message: z.string(),
  timestamp: isoTime,
});

/** What a stand-alone check shows: the StatusUpdate fields without id and notify (interface.md §4); `kind` is baseline. */
export const checkedStatus = latestUpdate.omit({ id: true });

const notifyFields = {
  notified: z.int().min(0).max(1),
  email_notify_status: notifyStatus,
  whatsapp_notify_status: notifyStatus,
  email_notify_attempts: z.int(),
  whatsapp_notify_attempts: z.int(),
  email_notify_last_error: z.string().max(300).nullable(),
  whatsapp_notify_last_error: z.string().max(300).nullable(),
  email_notify_sent_at: isoTime.nullable(),
  whatsapp_notify_sent_at: isoTime.nullable(),
};

/** An element of `status_updates`, ISO times. */
export const statusUpdate = latestUpdate.extend(notifyFields);

/** The times of a StatusUpdate as GET under /v1/client shows them. */
const partnerTimes = {
  submitted_date: partnerTime.nullable(),
  modified_date: partnerTime.nullable(),
  timestamp: partnerTime,
};

export const partnerLatestUpdate = latestUpdate.extend(partnerTimes);

/** An element of `status_updates` in GET under /v1/client. */
export const partnerStatusUpdate = statusUpdate.extend({
  ...partnerTimes,
  email_notify_sent_at: partnerTime.nullable(),
  whatsapp_notify_sent_at: partnerTime.nullable(),
});

export type UpdateKind = z.infer<typeof updateKind>;
export type NotifyStatus = z.infer<typeof notifyStatus>;
export type Channel = z.infer<typeof channel>;
export type HistoryEntry = z.infer<typeof historyEntry>;
export type StatusFacts = z.infer<typeof statusFacts>;
export type LatestUpdate = z.infer<typeof latestUpdate>;
export type CheckedStatus = z.infer<typeof checkedStatus>;
export type StatusUpdate = z.infer<typeof statusUpdate>;
