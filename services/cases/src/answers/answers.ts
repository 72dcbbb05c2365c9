import { setTimeout as delay } from 'node:timers/promises';
import {
  type CaseReply,
  maxStaffFacts,
  maxTotal,
  type RequestData,
  toIso,
  userCaseId,
} from '@casewatch/contracts';
import { type RequestHandler, timeLeftMs } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentCase, presentMonitoring } from '../present/case.ts';
import type { CaseRow } from '../store/cases.ts';

/** Pauses before an answer reads again what another service knows already, ms. They grow, so that a backlog is not read all the time. */
const pausesMs = [10, 20, 40, 80];

/** The cases that exist. Waits a moment while one is older than asked for: its change is on its way here. */
export function answerCases(ctx: Context): RequestHandler<'cases.cases'> {
  return async ({ ids, at_least }) => {
    let rows = await ctx.stores.cases.findSome(ids);
    for (const ms of pausesMs) {
      if (!rows.some((row) => isOlder(row, at_least)) || ms > timeLeftMs() / 2) break;
      await delay(ms);
      rows = await ctx.stores.cases.findSome(ids);
    }
    const now = ctx.clock.now();
    return { cases: rows.map((row) => presentCaseReply(row, now)) };
  };
}

function isOlder(row: CaseRow, { version, observation }: RequestData<'cases.cases'>['at_least']): boolean {
  return row.version < version || (row.latest_update?.observation ?? 0) < observation;
}

/** A case as other services see it, in English. */
function presentCaseReply(row: CaseRow, now: Date): CaseReply {
  return {
    case: presentCase(row, { language: 'en', now, time: toIso }),
    user_id: row.user_id,
    partner_id: row.partner_id,
    assignee_id: row.assignee_id,
    reference: row.reference,
    respond_by: row.respond_by,
    respond_done: row.respond_done !== null,
    watched: row.watched,
    version: row.version,
    monitoring: presentMonitoring(row, toIso),
    latest_observation: row.latest_update?.observation ?? null,
  };
}

/** Which of the cases are active, and what firms read in their notices: for the messages about them. */
export function answerActive(ctx: Context): RequestHandler<'cases.active'> {
  return async ({ case_ids }) => {
    const rows = await ctx.stores.cases.activeAmong(case_ids);
    const notices = rows.flatMap(({ respond_by, latest_update }) =>
      respond_by?.source === 'notice' && latest_update
        ? [{ status_update_id: latest_update.id, date: respond_by.date }]
        : [],
    );
    return { case_ids: rows.map(({ _id }) => _id), notices };
  };
}

const maxDue = 500;
const dayMs = 24 * 60 * 60 * 1_000;

/** Answers that are due, for the calendar of a member: the firm's own words for each case, and nothing of its user. */
export function answerDue(ctx: Context): RequestHandler<'cases.due'> {
  return async ({ partner_id: partnerId, staff_id: staffId, active_ids: activeIds = null }) => {
    // In zones west of UTC it is still yesterday.
    const from = new Date(ctx.clock.now().getTime() - dayMs).toISOString().slice(0, 10);
    const rows = await ctx.stores.cases.dueFor({ partnerId, staffId, activeIds }, { from, limit: maxDue });
    return {
      due: rows.map(({ _id, reference, due_on, due_version, updated_at }) => ({
        user_case_id: userCaseId(_id),
        reference,
        date: due_on,
        version: due_version,
        changed_at: toIso(updated_at),
      })),
    };
  };
}

/** Cases and active cases of a partner's users; of each at most one more than `maxTotal`, as lists are counted. */
export function answerCount({ stores }: Context): RequestHandler<'cases.count'> {
  return async ({ partner_id }) => await stores.cases.count(partner_id, maxTotal + 1);
}

/** What a member of staff did here, and has: for the member's export. */
export function answerStaffFacts({ stores }: Context): RequestHandler<'cases.of_staff'> {
  return async (asked) => {
    const page = (after: number) => ({
      partnerId: asked.partner_id,
      staffId: asked.staff_id,
      after,
      limit: maxStaffFacts,
    });
    const [acknowledgements, reviews, case_ids, answered, imports] = await Promise.all([
      stores.acknowledgements.ofStaff(page(asked.acknowledgements_after)),
      stores.statusUpdates.reviewsOf(page(asked.reviews_after)),
      stores.cases.idsOfAssignee(page(asked.cases_after)),
      stores.cases.answeredBy(page(asked.answers_after)),
      stores.imports.ofStaff(asked.partner_id, asked.staff_id, maxStaffFacts),
    ]);
    return {
      acknowledgements: acknowledgements.map(({ _id, case_id, version, acknowledged_at }) => ({
        id: _id,
        case_id,
        version,
        acknowledged_at: toIso(acknowledged_at),
      })),
      reviews: reviews.map(({ _id, case_id, change: { reviewed_at, at } }) => ({
        id: _id,
        case_id,
        reviewed_at: toIso(reviewed_at ?? at),
      })),
      case_ids,
      imports: imports.map(({ _id, created_at }) => ({ id: _id, created_at: toIso(created_at) })),
      answers: answered.flatMap(({ _id, respond_done }) =>
        respond_done === null ? [] : [{ case_id: _id, sent_at: toIso(respond_done.at) }],
      ),
    };
  };
}

export function answerState({ serviceState }: Context): RequestHandler<'cases.state'> {
  return serviceState;
}
