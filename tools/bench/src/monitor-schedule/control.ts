import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../monitor/store.ts';

const pollMs = 250;

/** `checks`: the number of checks so far. `rowsPerWrite`: as many as the monitor writes in a second. */
type Options = { checks(): Promise<number>; rowsPerWrite: number };

/** Updates by id in a second store, oldest first: as many rows as the monitor makes checks. */
export async function startControl(store: Store, { checks, rowsPerWrite }: Options) {
  const ids = await store.ids();
  const stopping = new AbortController();
  let written = 0;

  async function write(): Promise<void> {
    const block = Array.from({ length: rowsPerWrite }, (_, i) => ids[(written + i) % ids.length] ?? '');
    await store.reschedule(block, new Date());
    written += rowsPerWrite;
  }

  async function run(): Promise<void> {
    const before = await checks();
    while (!stopping.signal.aborted) {
      if ((await checks()) - before - written < rowsPerWrite) await delay(pollMs);
      else await write();
    }
  }

  const running = run();
  return {
    written: () => written,
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
