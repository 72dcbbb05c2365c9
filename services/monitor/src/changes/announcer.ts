import type { Context } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';

type WatchedReceipt = Pick<Receipt, '_id' | 'next_check_at' | 'watched_by'>;

/** Least time between two `status.checked` of one receipt, ms (architecture.md §3). */
const quietMs = 60_000;
const casesPerMessage = 500;

/** Publishes `status.checked` from memory: the event may be lost. */
export function createAnnouncer(ctx: Context) {
  let pending = new Map<string, { receipt: WatchedReceipt; checkedAt: Date }>();
  const announcedMs = new Map<string, number>();

  function forgetOld(nowMs: number): void {
    for (const [receiptNumber, atMs] of announcedMs) {
      if (nowMs - atMs < quietMs) return;
      announcedMs.delete(receiptNumber);
    }
  }

  return {
    note(receipt: WatchedReceipt, checkedAt: Date): void {
      if (!announcedMs.has(receipt._id)) pending.set(receipt._id, { receipt, checkedAt });
    },
    async flush(): Promise<void> {
      const nowMs = performance.now();
      forgetOld(nowMs);
      const due = pending;
      pending = new Map();
      const unknown = [...due.values()].filter(({ receipt }) => !receipt.watched_by);
      const caseIds = await ctx.stores.watches.findCaseIds(unknown.map(({ receipt }) => receipt._id));
      for (const [receiptNumber, { receipt, checkedAt }] of due) {
        announcedMs.set(receiptNumber, nowMs);
        const ids = receipt.watched_by ? [receipt.watched_by] : (caseIds.get(receiptNumber) ?? []);
        for (let start = 0; start < ids.length; start += casesPerMessage) {
          ctx.bus.publish('status.checked', {
            checked_at: checkedAt.toISOString(),
            next_check_at: receipt.next_check_at?.toISOString() ?? null,
            case_ids: ids.slice(start, start + casesPerMessage),
          });
        }
      }
    },
  };
}
