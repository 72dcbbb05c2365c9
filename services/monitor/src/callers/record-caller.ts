import type { Context } from '../context.ts';
import { neighboursOf, receiptHasher } from '../domain/receipt-neighbours.ts';
import { type Caller, callerName } from '../domain/shares.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** Numbers this near count as neighbours. */
const reach = 20;
/** The same caller's run is told again after this, ms. */
const quietMs = 60 * 60 * 1_000;

/**
 * Records each check by a caller (who, keyed hash of the receipt, when) and raises an alarm where one asks for many
 * neighbouring numbers within a day: the check is no telephone book (monitor.md, Budget).
 */
export function createRecorder(ctx: Context): (caller: Caller, receiptNumber: string) => Promise<void> {
  const { config, clock, log, stores } = ctx;
  const hash = receiptHasher(config.USCIS_CLIENT_SECRET);
  const toldMs = new Map<string, number>();

  function isQuiet(caller: string): boolean {
    const nowMs = performance.now();
    for (const [name, atMs] of toldMs) if (nowMs - atMs > quietMs) toldMs.delete(name);
    return toldMs.has(caller);
  }

  return async (caller, receiptNumber) => {
    const name = callerName(caller);
    const at = clock.now();
    const expires_at = new Date(at.getTime() + config.MONITOR_CHECK_RECORD_DAYS * dayMs);
    await stores.callerChecks.add({ caller: name, receipt_hash: hash(receiptNumber), at, expires_at });
    const near = neighboursOf(receiptNumber, reach).map(hash);
    const count = await stores.callerChecks.countAsked(name, near, new Date(at.getTime() - dayMs));
    if (count < config.MONITOR_NEIGHBOUR_ALARM || isQuiet(name)) return;
    toldMs.set(name, performance.now());
    ctx.sendingMetrics.neighboursAsked();
    const { partner_id, user_id } = caller;
    log.warn(
      { alarm: 'neighbouring_receipts', partner_id, user_id, count },
      'a run of neighbouring receipts',
    );
  };
}
