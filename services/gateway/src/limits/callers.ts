import type { LimitPolicy } from '@casewatch/contracts';
import { LRUCache } from 'lru-cache';
import { createWindow, type SlidingWindow, usedOf } from '../domain/sliding-window.ts';

/** Per policy; the least recently seen caller is dropped. `max` would reserve memory for all of them at the start. */
const maxCallers = { maxSize: 50_000, sizeCalculation: () => 1 };

export type Callers = {
  windowOf(policy: LimitPolicy, id: string): SlidingWindow;
  /** Does not create an entry. */
  peek(policy: LimitPolicy, id: string): SlidingWindow;
  sweep(now: number): void;
};

export function createCallers(): Callers {
  const windows: Record<LimitPolicy, LRUCache<string, SlidingWindow>> = {
    address: new LRUCache(maxCallers),
    partner: new LRUCache(maxCallers),
    user: new LRUCache(maxCallers),
  };
  return {
    windowOf(policy, id) {
      const existing = windows[policy].get(id);
      if (existing) return existing;
      const window = createWindow();
      windows[policy].set(id, window);
      return window;
    },
    peek: (policy, id) => windows[policy].peek(id) ?? createWindow(),
    sweep(now) {
      for (const callers of Object.values(windows)) {
        const idle = [...callers.entries()].filter(([, window]) => usedOf(window, now) === 0);
        for (const [id] of idle) callers.delete(id);
      }
    },
  };
}
