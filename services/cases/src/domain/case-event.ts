import type { CaseReference } from '@casewatch/contracts';
import { userCaseId } from './case-id.ts';

type CaseFacts = {
  _id: number;
  receipt_number: string;
  user_id: number;
  partner_id: number | null;
  watched: boolean;
  active: boolean;
  version: number;
};

/** The case as events name it. */
export function caseReferenceOf(row: CaseFacts): CaseReference {
  const { _id: id, receipt_number, user_id, partner_id } = row;
  return { id, user_case_id: userCaseId(id), receipt_number, user_id, partner_id };
}

/** The case's state as `case.created` and `case.updated` carry it. */
export function caseStateOf(row: CaseFacts) {
  const { watched, active, version } = row;
  return { case: caseReferenceOf(row), watched, active, version };
}
