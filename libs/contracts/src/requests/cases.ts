import { z } from 'zod';
import { id, language } from '../fields.ts';
import { caseSummary, monitoring } from '../resources/case.ts';

/** `language` is that of `detail_message`. */
export const caseRequest = z.object({ case_id: id, language: language.default('en') });
export const caseReply = z.object({
  case: caseSummary,
  user_id: id,
  partner_id: id.nullable(),
  watched: z.boolean(),
  version: z.int().min(1),
  monitoring,
  /** Observation of `case.latest_update`; null: no update. Absent in an older release. */
  latest_observation: z.int().min(0).nullable().optional(),
});

export const countRequest = z.object({ partner_id: id });
export const countReply = z.object({ cases: z.int().min(0), active_cases: z.int().min(0) });

/** Which of the cases are active. Cases that do not exist are left out. */
export const activeCasesRequest = z.object({ case_ids: z.array(id).min(1).max(1_000) });
export const activeCasesReply = z.object({ case_ids: z.array(id) });

export type CaseReply = z.infer<typeof caseReply>;
