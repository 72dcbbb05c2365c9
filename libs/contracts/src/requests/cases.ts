import { z } from 'zod';
import { dayText, id, isoTime } from '../fields.ts';
import { alerts } from '../resources/alerts.ts';
import { caseSummary, monitoring } from '../resources/case.ts';
import {
  latestUpdate,
  respondBy,
  spanishSource,
  statusFacts,
  updateKind,
} from '../resources/status-update.ts';
import { activeIds } from './identity.ts';

/** Missing from a release without dates. */
const respondByOrNull = respondBy.nullable().default(null);

/** Its texts are in English. */
export const caseReply = z.object({
  case: caseSummary.extend({
    latest_update: latestUpdate.extend({ respond_by: respondByOrNull }).nullable(),
  }),
  user_id: id,
  partner_id: id.nullable(),
  /** The member of the firm's staff who works on it, and the firm's matter number. Missing from a release without them. */
  assignee_id: id.nullable().default(null),
  reference: z.string().max(64).nullable().default(null),
  /** The day for an answer. */
  respond_by: respondByOrNull,
  /** Whether the firm has answered. Missing from a release without it. */
  respond_done: z.boolean().default(false),
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
/** `notices`: the days that firms read in the notices, if they have not passed, with the status update that they are about. */
export const activeCasesReply = z.object({
  case_ids: z.array(id),
  notices: z.array(z.object({ status_update_id: id, date: dayText })).default([]),
});

/** Whose open answers: those of the cases of a member, and of cases on which nobody works. */
export const dueRequest = z.object({ partner_id: id, staff_id: id, active_ids: activeIds });

/** Nearest first, at most 500. `version` grows with each change of the day. */
export const dueReply = z.object({
  due: z.array(
    z.object({
      user_case_id: z.string().max(20),
      reference: z.string().max(64).nullable(),
      date: dayText,
      version: z.int().min(0),
      changed_at: isoTime,
    }),
  ),
});

/** Most changes, and most dates, of one answer. */
export const maxMorning = 50;

/**
 * What is open at a firm for a member: of all cases, or of those of the member and those on which nobody works. `from`, `until`: first and last
 * day of the dates. `user_ids`: people of whom the asker wants to know whether they have such a case.
 */
export const morningRequest = z.object({
  partner_id: id,
  staff_id: id,
  scope: alerts.shape.scope,
  from: dayText,
  until: dayText,
  limit: z.int().min(1).max(maxMorning),
  user_ids: z.array(id).max(200),
  active_ids: activeIds,
});

const ofOpenCase = {
  user_id: id,
  user_case_id: z.string().max(20),
  /** The firm's matter number. */
  reference: z.string().max(64).nullable(),
};

/**
 * `changes`: those that nobody has reviewed, urgent ones first, then the newest; `total`: of all of them. `status` null: `monitoring` says
 * what is wrong. `is_answered`: the firm has sent the answer, or another status came; then there is no day. `due`: answers that are not
 * sent, nearest first; `due_total`: of all, at most 500. `user_ids`: who of those asked for has such a case, active.
 */
export const morningReply = z.object({
  changes: z.array(
    z.object({
      ...ofOpenCase,
      urgent: z.boolean(),
      observed_at: isoTime,
      receipt_number: z.string().max(13),
      respond_by: respondByOrNull,
      is_answered: z.boolean().default(false),
      status: statusFacts
        .pick({ status_code: true, status_code_es: true, status_code_pt: true })
        .extend({
          kind: updateKind,
          previous_status_code: z.string().nullable(),
          spanish_source: spanishSource.nullable(),
        })
        .nullable(),
      monitoring: monitoring.shape.state.nullable(),
    }),
  ),
  total: z.int().min(0),
  due: z.array(z.object({ ...ofOpenCase, respond_by: respondBy })),
  due_total: z.int().min(0),
  user_ids: z.array(id),
});
export type MorningReply = z.infer<typeof morningReply>;

/** Most partners of one answer. */
export const maxFirms = 200;
/** Partners that have cases, in the order of their ids, beginning after the id `after`; 0: at the first. */
export const firmsRequest = z.object({ after: z.int().min(0) });
/** Fewer than `maxFirms`: there are no more. */
export const firmsReply = z.object({ partner_ids: z.array(id).max(maxFirms) });

/** Rows of one kind in a page of `cases.of_staff`. */
export const maxStaffFacts = 500;

/** What cases stores about a member of staff. Each `…_after`: the last id that the asker has of the kind. */
export const staffFactsRequest = z.object({
  partner_id: id,
  staff_id: id,
  acknowledgements_after: z.int().min(0),
  reviews_after: z.int().min(0),
  cases_after: z.int().min(0),
  answers_after: z.int().min(0).default(0),
});

/** By id, up to `maxStaffFacts` of each kind; fewer mean that there are no more of the kind. `case_ids`: those assigned to the member. */
export const staffFactsReply = z.object({
  acknowledgements: z
    .array(z.object({ id, case_id: id, version: z.string().max(64), acknowledged_at: isoTime }))
    .max(maxStaffFacts),
  reviews: z.array(z.object({ id, case_id: id, reviewed_at: isoTime })).max(maxStaffFacts),
  case_ids: z.array(id).max(maxStaffFacts),
  /** Imports of the member, newest first; not by pages, because they are kept 90 days. */
  imports: z
    .array(z.object({ id, created_at: isoTime }))
    .max(maxStaffFacts)
    .default([]),
  /** The cases whose answer the member noted as sent. */
  answers: z
    .array(z.object({ case_id: id, sent_at: isoTime }))
    .max(maxStaffFacts)
    .default([]),
});

export type CaseReply = z.infer<typeof caseReply>;
