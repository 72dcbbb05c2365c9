import { every, type Running, warning } from '@casewatch/platform';
import type { SenderContext } from '../scheduling/sender-context.ts';

const everyMs = 2_000;
const beatsPerQuota = 5;

/** Stores the state of the sender for `monitor.status`, and reads the orders of the operator and the use of the quota. */
export function heartbeat(ctx: SenderContext): Running {
  const { stores, log, metrics, upstream, changeRates, pacer } = ctx;
  let beats = 0;
  metrics.showSender({ ...upstream, ...pacer });
  async function beat(): Promise<void> {
    const state = { ...upstream.state(), detection: changeRates.detectionDelay() };
    upstream.applyControl(await stores.control.noteSender(state));
    if (beats++ % beatsPerQuota === 0) await pacer.refresh();
  }
  const loop = every(everyMs, beat, warning(log, 'sender heartbeat failed'));
  return {
    async stop() {
      await loop.stop();
      metrics.showSender(null);
    },
  };
}
