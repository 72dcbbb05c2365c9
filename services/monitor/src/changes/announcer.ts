import type { Context } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';

type Watched = Pick<Receipt, '_id' | 'next_check_at' | 'watched_by'>;
type Checked = { receipt: Watched; checkedAt: Date };

/** A case hears of its checks at most this often, ms (architecture.md §3). */
const quietMs = 60_000;
const casesPerMessage = 500;

/** Tells cases when their receipts were checked: from memory alone, so it may be lost harmlessly. */
export function createAnnouncer(ctx: Context) {
  let pending = new Map<string, Checked>();
  const announcedMs = new Map<string, number>();

  function forgetOld(nowMs: number): void {
    // Kept in the order of announcing: the oldest come first.
    for (const [receiptNumber, atMs] of announcedMs) {
      if (nowMs - atMs < quietMs) return;
      announcedMs.delete(receiptNumber);
    }
  }

  return {
    note(receipt: Watched, checkedAt: Date): void {
      if (!announcedMs.has(receipt._id)) pending.set(receipt._id, { receipt, checkedAt });
    },
    async flush(): Promise<void> {
      const nowMs = performance.now();
      forgetOld(nowMs);
      if (pending.size === 0) return;
      const due = pending;
      pending = new Map();
      // Looked up for those alone whose row does not say it.
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
