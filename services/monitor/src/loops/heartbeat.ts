import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { QuotaUse } from '../domain/quota.ts';
import { readQuotaUse } from '../sending/quota-use.ts';
import type { Upstream } from '../sending/upstream.ts';

/** How often the sender says how it fares and hears what the operator said, ms. */
const everyMs = 2_000;

/** Says that somebody sends, and how the government's service fares, for `monitor.status` and as metrics. */
export function heartbeat(ctx: Context, upstream: Upstream): Running {
  const { stores, log, sendingMetrics } = ctx;
  let quota: QuotaUse | null = null;
  const stopShowing = sendingMetrics.show({ health: upstream.health, quota: () => quota });
  async function beat(): Promise<void> {
    const said = { upstream: upstream.view(), health: upstream.health() };
    upstream.applyControl(await stores.control.noteSender(said));
    quota = await readQuotaUse(ctx);
  }
  const beating = every(everyMs, beat, (error) => log.warn({ err: error }, 'sender not noted'));
  return {
    async stop() {
      await beating.stop();
      stopShowing();
    },
  };
}
