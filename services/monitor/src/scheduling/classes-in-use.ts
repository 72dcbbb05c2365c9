import type { ScheduleClass } from '../domain/schedule-class.ts';
import type { Stores } from '../store/stores.ts';

type ClassesContext = { readonly stores: { readonly receipts: Pick<Stores['receipts'], 'classesInUse'> } };

/**
 * The classes that hold receipts, looked up every `everyMs`. Reading an empty class is expensive: MongoDB walks over
 * the dead index entries of the next class, which it keeps for 300 s (a quarter of a million at 800 checks/s).
 */
export function createClassesInUse({ stores }: ClassesContext, everyMs: number) {
  let inUse = new Set<ScheduleClass>();
  let lookAtMs = 0;

  return {
    async among(names: Iterable<ScheduleClass>): Promise<{ names: ScheduleClass[]; isNew: boolean }> {
      const before = inUse;
      if (performance.now() >= lookAtMs) {
        lookAtMs = performance.now() + everyMs;
        inUse = new Set(await stores.receipts.classesInUse());
      }
      const used = [...names].filter((name) => inUse.has(name));
      return { names: used, isNew: used.some((name) => !before.has(name)) };
    },
  };
}
