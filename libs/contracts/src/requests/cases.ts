import { z } from 'zod';
import { id, language } from '../fields.ts';
import { caseSummary, monitoring } from '../resources/case.ts';
import { latestUpdate } from '../resources/status-update.ts';

/** `language` is that of `detail_message`. */
export const caseRequest = z.object({ case_id: id, language: language.default('en') });
export const caseReply = z.object({
  case: caseSummary.extend({ latest_update: latestUpdate.nullable() }),
  user_id: id,
  partner_id: id.nullable(),
  watched: z.boolean(),
  version: z.int().min(1),
  monitoring,
  /** Observation of `case.latest_update`; null: no update. */
  latest_observation: z.int().min(0).nullable(),
});

/** Most questions of one request. */
export const maxBatch = 128;

/** A question is early while the case is older than `at_least`. */
const caseQuestion = z.object({
  case_id: id,
  at_least: z.object({ version: z.int().min(0).default(0), observation: z.int().min(0).default(0) }),
});

export const casesRequest = z.object({ cases: z.array(caseQuestion).min(1).max(maxBatch) });
/**
 * Answers of some questions, by the position of the question; `found` null: there is no such case. The asker repeats the
 * other questions: they are early, or their answers do not fit into a message. While all are early, the owner waits up to 200 ms.
 */
export const casesReply = z.object({
  answers: z.array(z.object({ question: z.int().min(0), found: caseReply.nullable() })),
});

export const countRequest = z.object({ partner_id: id });
export const countReply = z.object({ cases: z.int().min(0), active_cases: z.int().min(0) });

/** Which of the cases are active. Cases that do not exist are left out. */
export const activeCasesRequest = z.object({ case_ids: z.array(id).min(1).max(1_000) });
export const activeCasesReply = z.object({ case_ids: z.array(id) });

export type CaseReply = z.infer<typeof caseReply>;
export type CaseQuestion = z.infer<typeof caseQuestion>;
