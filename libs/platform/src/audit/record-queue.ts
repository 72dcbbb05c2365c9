import { type AuditRecord, maxAuditRecords } from '@casewatch/contracts';
import type { Logger } from '../telemetry/logger.ts';
import { every, type Running } from '../timing/every.ts';

/** Longest time between a read or a refusal and the storing of its record, ms (firm.md §2: at most a second is lost in a kill). */
const everyMs = 500;

type Options = {
  log: Logger;
  /** Records that wait while they cannot be stored; further ones are lost, and counted in the log. */
  max: number;
  store(records: AuditRecord[]): Promise<unknown>;
};

/** Records that are stored together, shortly after what they tell of. The stop stores what waits. */
export function createRecordQueue({
  log,
  max,
  store,
}: Options): Running & { add(record: AuditRecord): void } {
  let waiting: AuditRecord[] = [];
  let lost = 0;

  async function storeWaiting(): Promise<void> {
    if (lost > 0) log.error({ lost }, 'audit records of reads and refusals lost');
    lost = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxAuditRecords);
      await store(batch);
      waiting = waiting.slice(batch.length);
    }
  }

  const failed = (err: unknown) =>
    log.warn({ err, waiting: waiting.length }, 'audit records not stored; trying again');
  const loop = every(everyMs, storeWaiting, failed);
  return {
    add(record) {
      if (waiting.length >= max) lost += 1;
      else waiting.push(record);
    },
    async stop() {
      await loop.stop();
      await storeWaiting().catch(failed);
    },
  };
}
