import {
  type CaseSummary,
  type CreatedCase,
  type EmbeddedUser,
  type PartnerCase,
  type PersonWith,
  toIso,
} from '@casewatch/contracts';
import { userCaseId } from '../domain/case-id.ts';
import { monitoringOf } from '../domain/monitoring.ts';
import type { CaseFacts } from '../store/case-pages.ts';
import type { CaseRow } from '../store/cases.ts';
import { presentObserved, type TimeFormat, type View } from './status-update.ts';

/** What a case shows of its user. */
export const shownOfUser = ['email', 'name', 'phone', 'status', 'preferred_language'] as const;
export type ShownUser = PersonWith<(typeof shownOfUser)[number]>;

/** The nine case fields (interface.md §4, update case). */
export function presentCase(row: CaseRow, view: View): CaseSummary {
  const { latest_update: latest } = row;
  return {
    ...presentFacts(row, view.time),
    latest_update: latest && presentObserved(latest.id, latest, view),
  };
}

/** A case without its latest update. */
export function presentFacts(row: CaseFacts, time: TimeFormat): Omit<CaseSummary, 'latest_update'> {
  return {
    id: row._id,
    user_case_id: userCaseId(row._id),
    receipt_number: row.receipt_number,
    description: row.description,
    created_at: time(row.created_at),
    last_checked: time(row.last_checked),
    active: row.active,
    update_count: row.update_count,
  };
}

export function presentPartnerFacts(row: CaseFacts, time: TimeFormat): Omit<PartnerCase, 'latest_update'> {
  return { ...presentFacts(row, time), user_id: row.user_id };
}

export function presentPartnerCase(row: CaseRow, view: View): PartnerCase {
  return { ...presentCase(row, view), user_id: row.user_id };
}

export function presentCreatedCase(row: CaseRow, user: ShownUser, view: View): CreatedCase {
  return {
    ...presentPartnerCase(row, view),
    uscis_access_acknowledged_at: toIso(row.uscis_access_acknowledged_at),
    uscis_access_ack_version: row.uscis_access_ack_version,
    user: presentEmbeddedUser(user),
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
