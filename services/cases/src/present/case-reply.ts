import { type CaseReply, toIso } from '@casewatch/contracts';
import type { CaseRow } from '../store/cases.ts';
import { presentCase, presentMonitoring } from './case.ts';

/** A case as other services see it, in English. */
export function presentCaseReply(row: CaseRow, now: Date): CaseReply {
  return {
    case: presentCase(row, { language: 'en', now, time: toIso }),
    user_id: row.user_id,
    partner_id: row.partner_id,
    watched: row.watched,
    version: row.version,
    monitoring: presentMonitoring(row, toIso),
    latest_observation: row.latest_update?.observation ?? null,
  };
}
