import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { latestUpdate, partnerLatestUpdate, respondBy } from './status-update.ts';
import { embeddedUser, namedUser } from './user.ts';

/** A list counts no more cases than these. */
export const maxTotal = 10_000;

/** `user_case_id` of a case: FLOW and the id, padded to at least 7 digits. */
export function userCaseId(caseId: number): string {
  return `FLOW${String(caseId).padStart(7, '0')}`;
}

/** The nine case fields of PUT /v1/users/{user_id}/cases/{case_id} (specification §4), ISO times. */
export const caseSummary = z.strictObject({
  id,
  user_case_id: z
    .string()
    .max(20)
    .regex(/^FLOW\d{7,16}$/),
  receipt_number: z.string().max(13),
  description: z.string().max(255),
  created_at: isoTime,
  last_checked: isoTime.nullable(),
  active: z.boolean(),
  update_count: z.int(),
  latest_update: latestUpdate.nullable(),
});

/** The case of the partner's create response: all fields of the specification's §2; `user` is null without the scope `users:read`. */
export const createdCase = caseSummary.extend({
  user_id: id,
  uscis_access_acknowledged_at: isoTime,
  uscis_access_ack_version: z.string().max(40),
  user: embeddedUser.nullable(),
});

const partnerTimes = {
  created_at: partnerTime,
  last_checked: partnerTime.nullable(),
  latest_update: partnerLatestUpdate.nullable(),
};

/** Who works on a case at the firm. Null: nobody, or somebody who was removed since. */
export const assignee = z.strictObject({ id, name: z.string().max(120) }).nullable();

/** Who at a firm did something: an API key, or a member of staff. */
export const reviewer = z.strictObject({ kind: z.enum(['key', 'staff']), id });

/** The same where it is read. `name`: of the member, also after the removal; null for a key. */
export const namedReviewer = reviewer.extend({ name: z.string().max(120).nullable() });

/** That the firm has answered USCIS: when it said so, and who. */
const respondDone = z.strictObject({ at: isoTime, by: reviewer });
const partnerRespondDone = respondDone.extend({ at: partnerTime });

/**
 * What interface.md §3 adds to a case, and only where partners read and change it. `reference`: the firm's matter number.
 * `respond_by` and `respond_done` hold until another status comes.
 */
const additions = {
  assignee,
  reference: z.string().max(64).nullable(),
  respond_by: respondBy.nullable(),
  respond_done: partnerRespondDone.nullable(),
};

const partnerCase = caseSummary.extend({ ...partnerTimes, user_id: id });

/** An element of GET /v1/client/cases: nine fields, `user_id` and the additions; `user` is null without the scope `users:read`. */
export const listedCase = partnerCase.extend({ ...additions, user: namedUser.nullable() });

/** What a change of GET /v1/client/changes shows of its case. */
export const changedCase = listedCase.pick({
  id: true,
  user_case_id: true,
  receipt_number: true,
  description: true,
  assignee: true,
  reference: true,
});

/** The case of PUT /v1/client/cases/{case_ref}, ISO times. */
export const updatedCase = caseSummary.extend({
  user_id: id,
  ...additions,
  respond_done: respondDone.nullable(),
});

/** The single partner read: with its user, null without the scope `users:read`. */
export const partnerCaseWithUser = partnerCase.extend({
  ...additions,
  respond_done: partnerRespondDone.extend({ by: namedReviewer }).nullable(),
  user: embeddedUser.nullable(),
});

/** What can be done to many cases in one call. */
export const bulkAction = z.enum(['pause', 'resume', 'assign', 'check', 'review']);

/** What became of one case of such a call. `code`: of an error, where it was refused. */
export const bulkResult = z.strictObject({
  case_ref: z.string().max(20),
  outcome: z.enum(['done', 'unchanged', 'refused']),
  code: z.string().max(40).nullable(),
  message: z.string().max(1_000).nullable(),
});

export const monitoringState = z
  .enum(['watched', 'not_found', 'rejected', 'paused', 'overdue'])
  .register(unknownValues, { readAs: 'watched' });

/** interface.md §4, get case */
export const monitoring = z.strictObject({
  state: monitoringState,
  since: isoTime.nullable(),
  next_check_at: isoTime.nullable(),
});

export const partnerMonitoring = monitoring.extend({
  since: partnerTime.nullable(),
  next_check_at: partnerTime.nullable(),
});

/** The single read for others than partners in backoffice mode: with its user, null for a key without `users:read`; ISO times. */
export const caseWithUser = caseSummary.extend({ user_id: id, user: embeddedUser.nullable() });

export type Reviewer = z.infer<typeof reviewer>;
export type NamedReviewer = z.infer<typeof namedReviewer>;
export type Assignee = z.infer<typeof assignee>;
export type CaseSummary = z.infer<typeof caseSummary>;
export type CreatedCase = z.infer<typeof createdCase>;
export type PartnerCase = z.infer<typeof partnerCase>;
export type ListedCase = z.infer<typeof listedCase>;
export type BulkAction = z.infer<typeof bulkAction>;
export type BulkResult = z.infer<typeof bulkResult>;
export type MonitoringState = z.infer<typeof monitoringState>;
