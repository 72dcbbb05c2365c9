import { z } from 'zod';
import { id } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { respondBy } from '../resources/status-update.ts';

export const caseReference = z.object({
  id,
  user_case_id: z.string(),
  receipt_number: z.string(),
  user_id: id,
  partner_id: id.nullable(),
});

const state = {
  case: caseReference,
  /** The case and its user are active (architecture.md §4). */
  watched: z.boolean(),
  active: z.boolean(),
  /** Grows with each change of the case or of its user; the highest wins. */
  version: z.int().min(1),
};

export const firstCheck = z
  .enum(['seen', 'not_found', 'unreadable', 'deferred'])
  .register(unknownValues, { readAs: 'deferred' });

/** The monitor reports only later changes. */
export const baseline = z.object({
  status_update_id: id,
  observation: z.int().min(1),
  facts_hash: z.string(),
});

/** `respond_by`: that of the baseline. */
export const caseCreated = z.object({
  ...state,
  first_check: firstCheck,
  baseline: baseline.nullable(),
  respond_by: respondBy.nullable().default(null),
});
/** `assignee_id`: the member of the firm's staff who works on the case. `respond_by`: as its latest status update has it. */
export const caseUpdated = z.object({
  ...state,
  assignee_id: id.nullable().default(null),
  respond_by: respondBy.nullable().default(null),
});
export const caseDeleted = z.object({ case: caseReference, version: z.int().min(1) });

export type FirstCheck = z.infer<typeof firstCheck>;
export type Baseline = z.infer<typeof baseline>;
export type CaseReference = z.infer<typeof caseReference>;
