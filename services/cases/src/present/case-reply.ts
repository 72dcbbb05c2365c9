import { type CaseReply, type Language, toIso } from '@casewatch/contracts';
import type { CaseRow } from '../store/cases.ts';
import { presentCase, presentMonitoring } from './case.ts';

/** A case as other services see it. */
export function presentCaseReply(row: CaseRow, view: { language: Language; now: Date }): CaseReply {
  return {
    case: presentCase(row, { ...view, time: toIso }),
    user_id: row.user_id,
    partner_id: row.partner_id,
    watched: row.watched,
    version: row.version,
    monitoring: presentMonitoring(row, toIso),
    latest_observation: row.latest_update?.observation ?? null,
  };
}
