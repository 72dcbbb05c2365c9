import { setTimeout as delay } from 'node:timers/promises';
import { nextCheckAt, type ScheduledReceipt } from '../../../../services/monitor/src/domain/schedule.ts';
import { unstretched } from '../../../../services/monitor/src/domain/stretch.ts';
import { createDueOrder } from './due-order.ts';
import { scaleOf } from './interval.ts';
import type { Store } from './stored-receipts.ts';

/** The bench's receipts: their class is `normal`. */
const scheduled: ScheduledReceipt = { poll_class: 'normal', since: null, new_since: null, not_found: null };

/** The checks that the floor keeps pace with. */
export type Followed = {
  /** How many there were so far. */
  checks(): Promise<number>;
  /** How long after a check the next one is due, ms. */
  intervalMs: number;
};

/** How often it is asked whether there were as many checks as a bulk update has rows, ms. */
const lookMs = 250;

/** Plain bulk updates that go on until they are stopped. */
export type Floor = { written(): number; stop(): Promise<void> };

/**
 * What a check cannot be cheaper than: plain bulk updates of 1,000 of the rows that become due, in their order, as many
 * as there are checks and when they are made, each with a next date as a check gives it. Nothing else happens to this store.
 */
export async function startFloor(store: Store, { checks, intervalMs }: Followed): Promise<Floor> {
  const pacing = { scale: scaleOf(intervalMs), stretch: unstretched, random: Math.random };
  const order = createDueOrder();
  const rows = await store.allDue();
  for (const row of rows) order.add(row);
  const rowsPerWrite = Math.min(1_000, rows.length);
  const ending = new AbortController();
  let written = 0;

  async function write(): Promise<void> {
    const now = new Date();
    const block = order.take(rowsPerWrite).map((_id) => ({
      _id,
      dueMs: nextCheckAt(scheduled, now, pacing).getTime(),
    }));
    await store.reschedule(block, now);
    for (const row of block) order.add(row);
    written += block.length;
  }

  async function run(): Promise<void> {
    const already = await checks();
    while (!ending.signal.aborted) {
      const missing = (await checks()) - already - written;
      if (missing < rowsPerWrite) await delay(lookMs);
      else await write();
    }
  }

  const running = run();
  return {
    written: () => written,
    async stop() {
      ending.abort();
      await running;
    },
  };
}
