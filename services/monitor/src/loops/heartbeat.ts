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
  metrics.showSender({ health: () => upstream.state().health, quota: () => quota });
  async function beat(): Promise<void> {
    const state = { ...upstream.state(), detection: changeRates.detectionDelay() };
    upstream.applyControl(await stores.control.noteSender(state));
    if (beats++ % beatsPerQuota === 0) quota = await readQuotaUse(ctx);
  }
  const loop = every(everyMs, beat, (error) => log.warn({ err: error }, 'sender heartbeat failed'));
  return {
    async stop() {
      await loop.stop();
      metrics.showSender(null);
    },
  };
}
