import type { ReplyData, Success } from '@casewatch/contracts';
import { type Handler, withoutTimeLimit } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';

const cacheMs = 5_000;
/** Deadline of the monitor's answer, ms; the operation has 2.5 s. */
const deadlineMs = 1_500;

type Status = Success<'get_status'>;

/** GET /v1/status. Without an answer of the monitor it returns the last known status as `unreachable`. */
export function getStatus(ctx: Context): Handler<'get_status'> {
  let last: Status | null = null;

  async function fetchStatus(): Promise<Status> {
    try {
      last = statusOf(await ctx.bus.request('monitor.status', {}, { deadlineMs }));
      return last;
    } catch (error) {
      ctx.log.warn({ err: error }, 'monitor.status unavailable; returning the last known status');
      const as_of = ctx.clock.now().toISOString();
      const unknown = { freshness: null, overdue_receipts: null, capacity: null, as_of };
      return { ...(last ?? unknown), upstream: 'unreachable', checking: false };
    }
  }

  // Several callers share an answer, so it must not end with the first caller's time limit.
  const status = new LRUCache<'status', Status>({
    max: 1,
    ttl: cacheMs,
    fetchMethod: () => withoutTimeLimit(fetchStatus),
  });
  return async () => ({ body: await status.forceFetch('status') });
}

function statusOf(reply: ReplyData<'monitor.status'>): Status {
  const { upstream, sending, paused, freshness, overdue_receipts, as_of } = reply;
  const { used_today, planned_interval, real_interval } = reply;
  const capacity = reply.capacity && { ...reply.capacity, used_today, planned_interval, real_interval };
  const checking = sending && !paused && upstream === 'open';
  return { upstream, checking, freshness, overdue_receipts, capacity, as_of };
}
