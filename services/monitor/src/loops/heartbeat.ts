import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { QuotaUse } from '../domain/quota.ts';
import type { ChangeRates } from '../scheduling/change-rates.ts';
import { readQuotaUse } from '../sending/quota-use.ts';
import type { Upstream } from '../sending/upstream.ts';

const everyMs = 2_000;
const beatsPerQuota = 5;

/** Stores the state of the sender for `monitor.status`, and reads the orders of the operator. */
export function heartbeat(ctx: Context, upstream: Upstream, changeRates: ChangeRates): Running {
  const { stores, log, metrics } = ctx;
  let quota: QuotaUse | null = null;
  let beats = 0;
  const removeGauges = metrics.showSender({ health: upstream.health, quota: () => quota });
  async function writeHeartbeat(): Promise<void> {
    const state = {
      upstream: upstream.view(),
      health: upstream.health(),
      refusals: upstream.refusals(),
      detection: changeRates.detectionDelay(),
    };
    upstream.applyControl(await stores.control.noteSender(state));
    if (beats++ % beatsPerQuota === 0) quota = await readQuotaUse(ctx);
  }
  const loop = every(everyMs, writeHeartbeat, (error) => log.warn({ err: error }, 'sender heartbeat failed'));
  return {
    async stop() {
      await loop.stop();
      removeGauges();
    },
  };
}
