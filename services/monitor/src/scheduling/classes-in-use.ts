import type { ScheduleClass } from '../domain/schedule-class.ts';
import type { Stores } from '../store/stores.ts';

type Asking = { readonly stores: { readonly receipts: Pick<Stores['receipts'], 'classesInUse'> } };

/**
 * Which classes hold any receipt, looked up every `everyMs`. Where a class is empty, its place in the index is followed by
 * what was checked lately in the next one; the store keeps those dead entries for 300 s and walks over all of them: at
 * 800 checks a second a quarter of a million, each time an empty class is read.
 */
export function createClassesInUse({ stores }: Asking, everyMs: number) {
  let inUse = new Set<ScheduleClass>();
  let lookAtMs = 0;

  return {
    /** Those of `names` that held a receipt when this was looked up last; `isNew`: one of them held none before. */
    async among(names: Iterable<ScheduleClass>): Promise<{ names: ScheduleClass[]; isNew: boolean }> {
      const before = inUse;
      if (performance.now() >= lookAtMs) {
        lookAtMs = performance.now() + everyMs;
        inUse = new Set(await stores.receipts.classesInUse());
      }
      const found = [...names].filter((name) => inUse.has(name));
      return { names: found, isNew: found.some((name) => !before.has(name)) };
    },
  };
}
