import { setTimeout as wait } from 'node:timers/promises';

/** Waits without keeping the process alive: a stop need not wait for a delayed answer. */
export async function pause(ms: number): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { ref: false });
}
