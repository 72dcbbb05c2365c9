import { setTimeout as delay } from 'node:timers/promises';
import { nextCheckAt, type ScheduledReceipt } from '../../../../services/monitor/src/domain/schedule.ts';
import { unstretched } from '../../../../services/monitor/src/domain/stretch.ts';
import type { Store } from '../monitor/store.ts';

const scheduled: ScheduledReceipt = { poll_class: 'normal', since: null, new_since: null, not_found: null };

const pollMs = 250;

/** `checks`: the number of checks so far. `scale`: MONITOR_INTERVAL_SCALE of the monitor. */
type Options = { checks(): Promise<number>; scale: number };

/** Plain bulk updates of 1,000 rows in a second store, in due order: as many rows as the monitor makes checks. */
export async function startControl(store: Store, { checks, scale }: Options) {
  const scheduleParams = { scale, stretch: unstretched, random: Math.random };
  const rows = await store.dueTimes('next_check_at');
  const rowsPerWrite = Math.min(1_000, rows.length);
  const stopping = new AbortController();
  let written = 0;

  async function write(): Promise<void> {
    const now = new Date();
    const block = Array.from(
      { length: rowsPerWrite },
      (_, i) => rows[(written + i) % rows.length]?._id ?? '',
    );
    await store.reschedule(
      block.map((_id) => ({ _id, due: nextCheckAt(scheduled, now, scheduleParams) })),
      now,
    );
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
