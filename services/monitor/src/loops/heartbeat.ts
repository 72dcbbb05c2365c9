import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ChangeRates } from '../scheduling/change-rates.ts';
import type { DailyPacer } from '../scheduling/daily-pacer.ts';
import type { Upstream } from '../sending/upstream.ts';

const everyMs = 2_000;
const beatsPerQuota = 5;

type Parts = { upstream: Upstream; changeRates: ChangeRates; pacer: DailyPacer };

/** Stores the state of the sender for `monitor.status`, and reads the orders of the operator and the use of the quota. */
export function heartbeat(ctx: Context, { upstream, changeRates, pacer }: Parts): Running {
  const { stores, log, metrics } = ctx;
  let beats = 0;
  metrics.showSender({ health: () => upstream.state().health, quota: pacer.quotaUse });
  async function beat(): Promise<void> {
    const state = { ...upstream.state(), detection: changeRates.detectionDelay() };
    upstream.applyControl(await stores.control.noteSender(state));
    if (beats++ % beatsPerQuota === 0) await pacer.refresh();
  }
  const loop = every(everyMs, beat, (error) => log.warn({ err: error }, 'sender heartbeat failed'));
  return {
    async stop() {
      await loop.stop();
      metrics.showSender(null);
    },
  };
}
