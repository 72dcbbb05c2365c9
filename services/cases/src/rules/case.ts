import { type CaseReference, type ResponseDates, userCaseId } from '@casewatch/contracts';

/** The id that a `case_ref` names, from 1 to 2^53−1. Null for another text: an id has two spellings only. */
export function idOfCaseRef(ref: string): number | null {
  const id = Number(ref.replace('FLOW', ''));
  if (!Number.isSafeInteger(id) || id < 1) return null;
  return ref === String(id) || ref === userCaseId(id) ? id : null;
}

type CaseFacts = Pick<ResponseDates<Date>, 'respond_by'> & {
  assignee_id: number | null;
  _id: number;
  receipt_number: string;
  user_id: number;
  partner_id: number | null;
  watched: boolean;
  active: boolean;
  version: number;
};

export function caseReferenceOf(row: CaseFacts): CaseReference {
  const { _id: id, receipt_number, user_id, partner_id } = row;
  return { id, user_case_id: userCaseId(id), receipt_number, user_id, partner_id };
}

/** What `case.created` and `case.updated` say. */
export function caseStateOf(row: CaseFacts) {
  const { watched, active, version } = row;
  return { case: caseReferenceOf(row), watched, active, version };
}

/** Data of `case.updated`. */
export function changedCaseOf(row: CaseFacts) {
  return { ...caseStateOf(row), assignee_id: row.assignee_id, respond_by: row.respond_by };
}

/** Sorts behind every day: nothing is due. */
export const nothingDue = '9999-12-31';

type Due = { due_on: string; due_version: number };

/**
 * What a row of a case stores of its dates. `due_version` grows whenever `due_on` moves. `due_on`: the day for an answer that the firm has not sent, for lists; a day is
 * nobody's moment, so it is text.
 */
export function storedDates({ respond_by, respond_done }: ResponseDates<Date>, before: Due | null = null) {
  const due_on = respond_done === null ? (respond_by?.date ?? nothingDue) : nothingDue;
  const isMoved = before !== null && before.due_on !== due_on;
  return { respond_by, respond_done, due_on, due_version: (before?.due_version ?? 0) + (isMoved ? 1 : 0) };
}
