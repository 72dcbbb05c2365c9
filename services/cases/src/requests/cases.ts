import type { RequestData } from '@casewatch/contracts';
import { createWakeableTimer, type RequestHandler, timeLeftMs } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentCaseReply } from '../present/case-reply.ts';
import type { CaseRow } from '../store/cases.ts';

/** How long an answer waits for a change that another service knows already, ms. */
const waitMs = 200;
/** Pause between two looks at what another replica stored, ms. */
const lookMs = 25;

/** The cases that exist. Waits while one is older than asked for, until this or another replica has stored its change. */
export function answerCases(ctx: Context): RequestHandler<'cases.cases'> {
  return async ({ ids, at_least }) => {
    const giveUpAt = performance.now() + Math.min(waitMs, timeLeftMs() / 2);
    const timer = createWakeableTimer(new AbortController().signal);
    const onUpdates = (stored: ReadonlySet<number>) => {
      if (ids.some((id) => stored.has(id))) timer.wake();
    };
    ctx.signals.on('updates', onUpdates);
    try {
      let rows = await ctx.stores.cases.findSome(ids);
      while (rows.some((row) => isOlder(row, at_least)) && performance.now() < giveUpAt) {
        await timer.sleep(lookMs);
        rows = await ctx.stores.cases.findSome(ids);
      }
      return { cases: rows.map((row) => presentCaseReply(row, ctx.clock.now())) };
    } finally {
      ctx.signals.off('updates', onUpdates);
    }
  };
}

function isOlder(row: CaseRow, { version, observation }: RequestData<'cases.cases'>['at_least']): boolean {
  return row.version < version || (row.latest_update?.observation ?? 0) < observation;
}
