import { createHmac } from 'node:crypto';
import { deriveKey } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { dayMs } from '../domain/buckets.ts';
import { type Caller, callerName } from '../domain/shares.ts';

const reach = 20;
/** Neighbouring numbers that a caller checks within a day before the log has an alarm. */
const alarmFrom = 10;
/** Least time between two alarms about one caller, ms. */
const quietMs = 60 * 60 * 1_000;

/** Records live checks. Logs an alarm for many neighbouring numbers within a day: an enumeration (monitor.md, Budget). */
export function createRecorder(ctx: Context): (caller: Caller, receiptNumber: string) => Promise<void> {
  const { config, clock, log, stores } = ctx;
  const hash = receiptHasher(config.USCIS_CLIENT_SECRET);
  const alarmed = new LRUCache<string, true>({ max: 10_000, ttl: quietMs });

  return async (caller, receiptNumber) => {
    const name = callerName(caller);
    const at = clock.now();
    const expires_at = new Date(at.getTime() + config.MONITOR_CHECK_RECORD_DAYS * dayMs);
    await stores.callerChecks.add({ caller: name, receipt_hash: hash(receiptNumber), at, expires_at });
    const { user_id } = caller;
    if (user_id !== null && (await stores.erasedUsers.among([user_id])).has(user_id)) {
      await stores.callerChecks.deleteOfCaller(name);
      return;
    }
    const neighbours = neighboursOf(receiptNumber, reach).map(hash);
    const count = await stores.callerChecks.countAsked(name, neighbours, new Date(at.getTime() - dayMs));
    if (count < alarmFrom || alarmed.has(name)) return;
    alarmed.set(name, true);
    ctx.metrics.all['monitor.neighbour_alarms'].add(1);
    const { partner_id } = caller;
    const alarm = 'neighbouring_receipts';
    log.warn({ alarm, partner_id, user_id, count }, 'caller checks neighboring receipt numbers');
  };
}

export function receiptHasher(secret: string): (receiptNumber: string) => string {
  const key = deriveKey('casewatch/receipt-number', secret);
  return (receiptNumber) => createHmac('sha256', key).update(receiptNumber).digest('hex');
}

const prefixLength = 3;
const digits = 10;

export function neighboursOf(receiptNumber: string, reach: number): string[] {
  const prefix = receiptNumber.slice(0, prefixLength);
  const number = Number(receiptNumber.slice(prefixLength));
  const steps = Array.from({ length: reach }, (_, i) => i + 1);
  return steps
    .flatMap((step) => [number - step, number + step])
    .filter((neighbour) => neighbour >= 0 && neighbour < 10 ** digits)
    .map((neighbour) => prefix + String(neighbour).padStart(digits, '0'));
}
