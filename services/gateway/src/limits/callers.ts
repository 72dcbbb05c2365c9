import type { LimitPolicy } from '@casewatch/contracts';
import { LRUCache } from 'lru-cache';
import { createWindow, type SlidingWindow, usedOf } from '../domain/sliding-window.ts';

/** How many callers are remembered per policy; beyond, the one not seen for longest is forgotten. */
const maxCallers = 50_000;

/** What each caller did in the last minute: bounded, whoever floods it, and of one policy's callers apart from others'. */
export type Callers = {
  /** The window to count in. */
  windowOf(policy: LimitPolicy, id: string): SlidingWindow;
  /** The window to look at; nobody is remembered for being looked at. */
  peek(policy: LimitPolicy, id: string): SlidingWindow;
  /** Forgets who did nothing within the minute before `now`, ms. */
  sweep(now: number): void;
};

export function createCallers(): Callers {
  const windows: Record<LimitPolicy, LRUCache<string, SlidingWindow>> = {
    address: new LRUCache({ max: maxCallers }),
    partner: new LRUCache({ max: maxCallers }),
    user: new LRUCache({ max: maxCallers }),
  };
  return {
    windowOf(policy, id) {
      const known = windows[policy].get(id);
      if (known) return known;
      const window = createWindow();
      windows[policy].set(id, window);
      return window;
    },
    peek: (policy, id) => windows[policy].peek(id) ?? createWindow(),
    sweep(now) {
      for (const known of Object.values(windows)) {
        const idle = [...known.entries()].filter(([, window]) => usedOf(window, now) === 0);
        for (const [id] of idle) known.delete(id);
      }
    },
  };
}
