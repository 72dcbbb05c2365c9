import type { Context } from '../context.ts';

type Checked = { receiptNumber: string; checkedAt: Date; nextCheckAt: Date | null };

export type Announcer = { note(checked: Checked): void; flush(): Promise<void> };

/** A case hears of its checks at most this often, ms (architecture.md §3). */
const quietMs = 60_000;
const casesPerMessage = 500;

/** Tells cases when their receipts were checked: from memory alone, so it may be lost harmlessly. */
export function createAnnouncer(ctx: Context): Announcer {
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
    note(checked) {
      if (!announcedMs.has(checked.receiptNumber)) pending.set(checked.receiptNumber, checked);
    },
    async flush() {
      const nowMs = performance.now();
      forgetOld(nowMs);
      if (pending.size === 0) return;
      const due = pending;
      pending = new Map();
      const caseIds = await ctx.stores.watches.findCaseIds([...due.keys()]);
      for (const [receiptNumber, { checkedAt, nextCheckAt }] of due) {
        announcedMs.set(receiptNumber, nowMs);
        const ids = caseIds.get(receiptNumber) ?? [];
        for (let start = 0; start < ids.length; start += casesPerMessage) {
          ctx.bus.announce('status.checked', {
            checked_at: checkedAt.toISOString(),
            next_check_at: nextCheckAt?.toISOString() ?? null,
            case_ids: ids.slice(start, start + casesPerMessage),
          });
        }
      }
    },
  };
}
