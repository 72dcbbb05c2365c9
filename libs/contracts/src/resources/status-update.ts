import { z } from 'zod';
import { dayText, id, isoTime, partnerTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';

/** monitor.md, What counts as a change */
export const updateKind = z
  .enum(['baseline', 'status', 'details', 'translation', 'flap'])
  // `skip_reason` says whether people are notified.
  .register(unknownValues, { readAs: 'status' });

/**
 * What an update changed (interface.md §3). `history`: entries came or went. `date`: the date on which the case was submitted;
 * `modified_date`, which USCIS moves at each save, is never a change.
 */
export const changedPart = z
  .enum(['title', 'text', 'history', 'date'])
  .register(unknownValues, { leftOut: true });

/** notifier.md */
export const notifyStatus = z
  .enum(['pending', 'sending', 'sent', 'delivered', 'failed', 'skipped'])
  .register(unknownValues, { readAs: 'pending' });

/** How far the mail to a member of staff about a change is. `sent`: the mail provider accepted it. */
export const alertStatus = z
  .enum(['pending', 'sending', 'sent', 'failed', 'skipped'])
  .register(unknownValues, { readAs: 'pending' });
export type AlertStatus = z.infer<typeof alertStatus>;

export const channel = z.enum(['email', 'whatsapp']);

/** Who wrote the Spanish title and text. `casewatch`: our status table, because USCIS served none or only a part. */
export const spanishSource = z.enum(['uscis', 'casewatch']).register(unknownValues, { readAs: 'casewatch' });

export const historyEntry = z.strictObject({
  date: z.string(),
  status_code: z.string(),
  status_code_es: z.string().nullable(),
  status_code_pt: z.string().nullable(),
});

/**
 * The day by which USCIS must receive an answer, `YYYY-MM-DD` (firm.md §4). `estimate`: the latest possible day by our reckoning.
 * `notice`: what somebody at the firm read in the notice.
 */
export const respondBy = z.strictObject({
  date: dayText,
  source: z.enum(['estimate', 'notice']).register(unknownValues, { readAs: 'estimate' }),
});

/** The words of USCIS; `_es` from USCIS or our table, `_pt` from our table. Dates without a zone are UTC (upstream.md). */
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

/** The earliest `modified_date` that USCIS showed with the title. Only between services. */
export const titleModifiedDate = isoTime.nullable();

/** interface.md §3 */
export const latestUpdate = statusFacts.extend({
  id,
  kind: updateKind,
  /** Empty for a baseline and a translation. */
  changes: z.array(changedPart).max(changedPart.options.length),
  detail_message: z.string(),
  spanish_source: spanishSource.nullable(),
  /** When USCIS last moved `modified_date` alone, after this update. */
  touched_at: isoTime.nullable(),
  timestamp: isoTime,
  /** Null: no answer is due, or the day is not certain. */
  respond_by: respondBy.nullable(),
});

/** interface.md §4; `kind` is baseline. */
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

const partnerTimes = {
  submitted_date: partnerTime.nullable(),
  modified_date: partnerTime.nullable(),
  touched_at: partnerTime.nullable(),
  timestamp: partnerTime,
};

export const partnerLatestUpdate = latestUpdate.extend(partnerTimes);

/** An element of `status_updates` in GET under /v1/client. */
export const partnerStatusUpdate = statusUpdate.extend({
  ...partnerTimes,
  email_notify_sent_at: partnerTime.nullable(),
  whatsapp_notify_sent_at: partnerTime.nullable(),
});

export type SpanishSource = z.infer<typeof spanishSource>;
export type UpdateKind = z.infer<typeof updateKind>;
export type ChangedPart = z.infer<typeof changedPart>;
export type NotifyStatus = z.infer<typeof notifyStatus>;
export type Channel = z.infer<typeof channel>;
export type HistoryEntry = z.infer<typeof historyEntry>;
export type StatusFacts = z.infer<typeof statusFacts>;
export type LatestUpdate = z.infer<typeof latestUpdate>;
export type CheckedStatus = z.infer<typeof checkedStatus>;
export type RespondBy = z.infer<typeof respondBy>;
export type StatusUpdate = z.infer<typeof statusUpdate>;
