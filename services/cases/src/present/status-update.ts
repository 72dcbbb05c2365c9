import {
  type CheckedStatus,
  detailMessage,
  type Language,
  type LatestUpdate,
  type StatusUpdate,
  type toIso,
} from '@casewatch/contracts';
import type { Observed } from '../domain/observed.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';

/** `toIso`, or `toPartnerTime` in GET under /v1/client. */
export type TimeFormat = typeof toIso;

/** `now`: a latest day for an answer that has passed is not shown. */
export type View = { language: Language; time: TimeFormat; now: Date };

export function presentObserved(id: number, row: Observed, view: View): LatestUpdate {
  return { id, ...presentStatus(row, view) };
}

/** `detail_message` is in the reader's language, so it is not stored. */
export function presentStatus(row: Observed, { language, time, now }: View): CheckedStatus {
  return {
    kind: row.kind,
    changes: row.changes,
    status_code: row.status_code,
    status_description: row.status_description,
    form_type: row.form_type,
    detail_message: detailMessage(row, language, now),
    status_code_es: row.status_code_es,
    status_description_es: row.status_description_es,
    status_code_pt: row.status_code_pt,
    status_description_pt: row.status_description_pt,
    status_slug: row.status_slug,
    category: row.category,
    spanish_source: row.spanish_source ?? null,
    submitted_date: time(row.submitted_date),
    modified_date: time(row.modified_date),
    history: row.history,
    touched_at: time(row.touched_at),
    timestamp: time(row.timestamp),
  };
}

export function presentStatusUpdate(row: StatusUpdateRow, view: View): StatusUpdate {
  return {
    ...presentObserved(row._id, row, view),
    notified: row.notified,
    email_notify_status: row.email_notify_status,
    whatsapp_notify_status: row.whatsapp_notify_status,
    email_notify_attempts: row.email_notify_attempts,
    whatsapp_notify_attempts: row.whatsapp_notify_attempts,
    email_notify_last_error: row.email_notify_last_error,
    whatsapp_notify_last_error: row.whatsapp_notify_last_error,
    email_notify_sent_at: view.time(row.email_notify_sent_at),
    whatsapp_notify_sent_at: view.time(row.whatsapp_notify_sent_at),
  };
}
