import {
  type Assignee,
  type CaseSummary,
  type CheckedStatus,
  type CreatedCase,
  detailMessage,
  type EmbeddedUser,
  type Language,
  type LatestUpdate,
  type ListedCase,
  type NamedUser,
  type PartnerCase,
  type PersonWith,
  type StatusUpdate,
  toIso,
  userCaseId,
} from '@casewatch/contracts';
import { type Observed, respondByOf } from '../rules/status-update.ts';
import { monitoringOf } from '../rules/watching.ts';
import type { CaseRow } from '../store/cases.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';

/** `toIso`, or `toPartnerTime` in GET under /v1/client. */
export type TimeFormat = typeof toIso;

/** `detail_message` leaves out a day for the answer that lies before `now`. */
export type View = { language: Language; time: TimeFormat; now: Date };

/** What a case shows of its user. */
export const shownOfUser = ['email', 'name', 'phone', 'status', 'preferred_language'] as const;
export type ShownUser = PersonWith<(typeof shownOfUser)[number]>;

/** The nine case fields. */
export function presentCase(row: CaseRow, view: View): CaseSummary {
  const { latest_update: latest } = row;
  const { time } = view;
  return {
    id: row._id,
    user_case_id: userCaseId(row._id),
    receipt_number: row.receipt_number,
    description: row.description,
    created_at: time(row.created_at),
    last_checked: time(row.last_checked),
    active: row.active,
    update_count: row.update_count,
    latest_update: latest && presentObserved(latest.id, latest, view),
  };
}

export function presentPartnerCase(row: CaseRow, view: View): PartnerCase {
  return { ...presentCase(row, view), user_id: row.user_id };
}

type Shown = { assignee: Assignee; user: NamedUser | null };

/** `user`: null for a caller who may not see names. */
export function presentListedCase(row: CaseRow, { assignee, user }: Shown, view: View): ListedCase {
  return { ...presentPartnerCase(row, view), ...presentAdditions(row, assignee, view.time), user };
}

/** What stands only where partners read and change a case (interface.md §3). */
export function presentAdditions(
  { reference, respond_by, respond_done }: CaseRow,
  assignee: Assignee,
  time: TimeFormat,
) {
  return {
    assignee,
    reference,
    respond_by,
    respond_done: respond_done && { at: time(respond_done.at), by: respond_done.by },
  };
}

/** `user`: null for a caller who may not see names. */
export function presentCreatedCase(row: CaseRow, user: ShownUser | null, view: View): CreatedCase {
  return {
    ...presentPartnerCase(row, view),
    uscis_access_acknowledged_at: toIso(row.uscis_access_acknowledged_at),
    uscis_access_ack_version: row.uscis_access_ack_version,
    user: user && presentEmbeddedUser(user),
  };
}

export function presentEmbeddedUser(user: ShownUser): EmbeddedUser {
  const { id, email, name, phone, status, preferred_language } = user;
  return { id, email, name, phone, status, preferred_language };
}

export function presentMonitoring(row: CaseRow, time: TimeFormat) {
  const { state, since, next_check_at } = monitoringOf(row);
  return { state, since: time(since), next_check_at: time(next_check_at) };
}

function presentObserved(id: number, row: Observed, view: View): LatestUpdate {
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
    respond_by: respondByOf(row),
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
