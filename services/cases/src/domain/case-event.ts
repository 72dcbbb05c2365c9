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

export function caseReferenceOf(row: CaseFacts): CaseReference {
  const { _id: id, receipt_number, user_id, partner_id } = row;
  return { id, user_case_id: userCaseId(id), receipt_number, user_id, partner_id };
}

/** Data of `case.created` and `case.updated`. */
export function caseStateOf(row: CaseFacts) {
  const { watched, active, version } = row;
  return { case: caseReferenceOf(row), watched, active, version };
}
