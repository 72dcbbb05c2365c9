import { setTimeout as delay } from 'node:timers/promises';

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // The only possible error is the abort.
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
