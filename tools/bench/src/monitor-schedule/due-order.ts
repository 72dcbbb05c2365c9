/** A receipt and when it is due, ms since 1970. */
export type DueRow = { _id: string; dueMs: number };

/** Receipts in the order in which they become due, to the second. */
export type DueOrder = { add(row: DueRow): void; take(count: number): string[] };

/** A list for each second, so that a million receipts cost no more than a few. */
export function createDueOrder(): DueOrder {
  const seconds = new Map<number, string[]>();
  let first = Number.POSITIVE_INFINITY;

  return {
    add({ _id, dueMs }) {
      const second = Math.floor(dueMs / 1_000);
      const ids = seconds.get(second);
      if (ids) ids.push(_id);
      else seconds.set(second, [_id]);
      first = Math.min(first, second);
    },
    take(count) {
      const taken: string[] = [];
      while (taken.length < count && seconds.size > 0) {
        const ids = seconds.get(first) ?? [];
        taken.push(...ids.splice(0, count - taken.length));
        if (ids.length > 0) continue;
        seconds.delete(first);
        first += 1;
      }
      return taken;
    },
  };
}
