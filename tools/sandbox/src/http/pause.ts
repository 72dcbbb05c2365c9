import { setTimeout as wait } from 'node:timers/promises';

/** Waits without keeping the process alive, so that a delayed answer does not delay a stop. */
export async function pause(ms: number): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { ref: false });
}
