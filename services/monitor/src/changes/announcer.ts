import { warning } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';

/** Least time between two `status.checked` of one receipt, ms (architecture.md §3). */
const quietMs = 60_000;
const casesPerMessage = 500;

/** Publishes `status.checked`. The event may be lost, so a failure is only logged. */
export function createAnnouncer({ bus, log, stores }: Pick<Context, 'bus' | 'log' | 'stores'>) {
  const announced = new LRUCache<string, true>({ max: 10_000, ttl: quietMs });

  async function publish({ _id, watched_by, next_check_at }: Receipt, checkedAt: Date): Promise<void> {
    const ids = watched_by ? [watched_by] : await stores.watches.caseIdsOf(_id, { active: true });
    for (let start = 0; start < ids.length; start += casesPerMessage)
      bus.publish('status.checked', {
        checked_at: checkedAt.toISOString(),
        next_check_at: next_check_at?.toISOString() ?? null,
        case_ids: ids.slice(start, start + casesPerMessage),
      });
  }

  return async (receipt: Receipt, checkedAt: Date): Promise<void> => {
    if (announced.has(receipt._id)) return;
    announced.set(receipt._id, true);
    await publish(receipt, checkedAt).catch(warning(log, 'status.checked not published'));
  };
}
