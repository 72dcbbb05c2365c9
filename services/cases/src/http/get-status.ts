import type { ReplyData, Success } from '@casewatch/contracts';
import { type Handler, withoutTimeLimit } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';

/** Many may ask: the monitor is asked once in so many ms. */
const keptMs = 5_000;
/** Time for the monitor's answer; the operation itself has 2.5 s. */
const deadlineMs = 1_500;

type Status = Success<'get_status'>;

/**
 * GET /v1/status: how the government's service and our checks fare. Where the monitor does not answer, nobody asks the
 * government either: that is said, with what was known last.
 */
export function getStatus(ctx: Context): Handler<'get_status'> {
  let known: Status | null = null;

  async function ask(): Promise<Status> {
    try {
      known = statusOf(await ctx.bus.request('monitor.status', {}, { deadlineMs }));
      return known;
    } catch (error) {
      ctx.log.warn({ err: error }, 'monitor.status unavailable; returning the last known status');
      return { ...(known ?? nothingKnown(ctx.clock.now())), upstream: 'unreachable', checking: false };
    }
  }

  // Others wait for the same answer: it does not end with the first caller's time.
  const status = new LRUCache<'status', Status>({
    max: 1,
    ttl: keptMs,
    fetchMethod: () => withoutTimeLimit(ask),
  });
  return async () => ({ body: await status.forceFetch('status') });
}

function statusOf({
  upstream,
  sending,
  paused,
  freshness,
  overdue_receipts,
  capacity,
  as_of,
}: ReplyData<'monitor.status'>): Status {
  const checking = sending && !paused && upstream === 'open';
  return { upstream, checking, freshness, overdue_receipts, capacity, as_of };
}

function nothingKnown(now: Date): Omit<Status, 'upstream' | 'checking'> {
  return { freshness: null, overdue_receipts: null, capacity: null, as_of: now.toISOString() };
}
