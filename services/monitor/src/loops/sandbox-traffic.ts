import { type HeldLease, pause } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { openMsBetween } from '../domain/hours.ts';
import { trafficReceipt } from '../domain/staging-receipts.ts';
import { reportTraffic, waitBeforeNext } from '../domain/traffic.ts';
import type { Sender } from '../sending/sender.ts';
import { TurnRefusedError } from '../sending/turn.ts';

/** How often it is looked whether there is something to do, ms. */
const lookMs = 5_000;

/**
 * Sends the sandbox traffic that production access asks for, where the operator ordered it (`monitor sandbox-traffic`):
 * in the background lane, so within hours, rate and the day's quota. What was sent is in the store, so it goes on over
 * restarts.
 */
export async function sendSandboxTraffic(ctx: Context, lease: HeldLease, sender: Sender): Promise<void> {
  const { clock, hours, log, quotaDays, stores } = ctx;

  /** Returns how long to wait before the next one, ms. */
  async function step(): Promise<number> {
    const plan = await stores.traffic.plan();
    if (!plan || plan.stopped_at !== null || sender.blockedBy()) return lookMs;
    const sent = await stores.traffic.days();
    if (reportTraffic(plan, sent).is_done) {
      await stores.traffic.end(clock.now());
      return lookMs;
    }
    const now = clock.now();
    const { day, endsMs } = quotaDays.at(now);
    const today = sent.find((row) => row.day === day);
    const openLeftMs = openMsBetween(hours, now, new Date(endsMs));
    const waitMs = waitBeforeNext(plan, today?.requests ?? 0, openLeftMs);
    if (waitMs === null) return lookMs;
    const dueMs = (today?.last_at.getTime() ?? 0) + waitMs;
    if (dueMs > now.getTime()) return Math.min(dueMs - now.getTime(), lookMs);
    const { outcome } = await sender.check(trafficReceipt(today?.requests ?? 0));
    await stores.traffic.note(day, outcome.outcome, clock.now());
    return 0;
  }

  while (!lease.signal.aborted) {
    let waitMs = lookMs;
    try {
      waitMs = await step();
    } catch (error) {
      if (!(error instanceof TurnRefusedError)) log.warn({ err: error }, 'sandbox traffic not sent');
    }
    await pause(waitMs, lease.signal);
  }
}
