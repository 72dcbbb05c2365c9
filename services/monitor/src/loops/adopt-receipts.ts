import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { scheduleUnscheduled } from '../store/unscheduled-receipts.ts';

const everyMs = 60_000;
/** A roll-out is over after this time, ms. */
const rollOutMs = 15 * 60_000;

/** During a roll-out, replicas of the release before write receipts without a bucket: they get one here. */
export function adoptReceipts(ctx: Context): Running {
  const untilMs = performance.now() + rollOutMs;
  async function adopt(signal: AbortSignal): Promise<void> {
    if (performance.now() > untilMs) return;
    const receipts = await scheduleUnscheduled(ctx.db, ctx.scheduleParams(), signal);
    if (receipts > 0) ctx.log.info({ receipts }, 'receipts of the release before scheduled');
  }
  return every(everyMs, adopt, (error) => ctx.log.warn({ err: error }, 'receipts not scheduled'));
}
