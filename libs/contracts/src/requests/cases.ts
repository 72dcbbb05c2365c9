import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { caseSummary, monitoring } from '../resources/case.ts';
import { latestUpdate } from '../resources/status-update.ts';

/** Its texts are in English. */
export const caseReply = z.object({
  case: caseSummary.extend({ latest_update: latestUpdate.nullable() }),
  user_id: id,
  partner_id: id.nullable(),
  /** The member of the firm's staff who works on it, and the firm's matter number. Missing from a release without them. */
  assignee_id: id.nullable().default(null),
  reference: z.string().max(64).nullable().default(null),
  watched: z.boolean(),
  version: z.int().min(1),
  monitoring,
  /** Observation of `case.latest_update`; null: no update. */
  latest_observation: z.int().min(0).nullable(),
});

/** `at_least`: the least version and observation of each of the cases. */
export const casesRequest = z.object({
  ids: z.array(id).min(1).max(20),
  at_least: z.object({ version: z.int().min(0).default(0), observation: z.int().min(0).default(0) }).default({
    version: 0,
    observation: 0,
  }),
});
/**
 * The cases that exist. The owner waits a moment for one that is older than `at_least`, then answers it as it is: the
 * caller compares `version` and `latest_observation`.
 */
export const casesReply = z.object({ cases: z.array(caseReply) });

export const countRequest = z.object({ partner_id: id });
export const countReply = z.object({ cases: z.int().min(0), active_cases: z.int().min(0) });

/** Which of the cases are active. Cases that do not exist are left out. */
export const activeCasesRequest = z.object({ case_ids: z.array(id).min(1).max(1_000) });
export const activeCasesReply = z.object({ case_ids: z.array(id) });

/** Rows of one kind in a page of `cases.of_staff`. */
export const maxStaffFacts = 500;

/** What cases stores about a member of staff. Each `…_after`: the last id that the asker has of the kind. */
export const staffFactsRequest = z.object({
  partner_id: id,
  staff_id: id,
  acknowledgements_after: z.int().min(0),
  reviews_after: z.int().min(0),
  cases_after: z.int().min(0),
});

/** By id, up to `maxStaffFacts` of each kind; fewer mean that there are no more of the kind. `case_ids`: those assigned to the member. */
export const staffFactsReply = z.object({
  acknowledgements: z
    .array(z.object({ id, case_id: id, version: z.string().max(64), acknowledged_at: isoTime }))
    .max(maxStaffFacts),
  reviews: z.array(z.object({ id, case_id: id, reviewed_at: isoTime })).max(maxStaffFacts),
  case_ids: z.array(id).max(maxStaffFacts),
});

export type CaseReply = z.infer<typeof caseReply>;
