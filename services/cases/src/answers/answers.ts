import { setTimeout as delay } from 'node:timers/promises';
import {
  type CaseReply,
  maxStaffFacts,
  type ReplyInput,
  type RequestData,
  toIso,
} from '@casewatch/contracts';
import { type RequestHandler, timeLeftMs } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';
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
    watched: row.watched,
    version: row.version,
    monitoring: presentMonitoring(row, toIso),
    latest_observation: row.latest_update?.observation ?? null,
  };
}

/** Which of the cases are active. */
export function answerActive(ctx: Context): RequestHandler<'cases.active'> {
  return async ({ case_ids }) => ({ case_ids: await ctx.stores.cases.activeAmong(case_ids) });
}

type Counts = ReplyInput<'cases.count'>;

/** A count reads one index key per case, so the count of a partner with more cases is cached. */
const cacheFrom = 1_000;
const cacheMs = 60_000;
const maxPartners = 1_000;

/** Cases and active cases of a partner's users. */
export function answerCount(ctx: Context) {
  const cache = new LRUCache<number, Counts>({ max: maxPartners, ttl: cacheMs });
  return async ({ partner_id }: RequestData<'cases.count'>): Promise<Counts> => {
    const cached = cache.get(partner_id);
    if (cached) return cached;
    const counts = await ctx.stores.cases.count(partner_id);
    if (counts.cases > cacheFrom) cache.set(partner_id, counts);
    return counts;
  };
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
    const [acknowledgements, reviews, case_ids] = await Promise.all([
      stores.acknowledgements.ofStaff(page(asked.acknowledgements_after)),
      stores.statusUpdates.reviewsOf(page(asked.reviews_after)),
      stores.cases.idsOfAssignee(page(asked.cases_after)),
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
    };
  };
}

export function answerState({ serviceState }: Context): RequestHandler<'cases.state'> {
  return serviceState;
}
