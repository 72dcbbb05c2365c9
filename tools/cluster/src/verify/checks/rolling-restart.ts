import { setTimeout as delay } from 'node:timers/promises';
import { startLoad } from '../../load/load.ts';
import type { Check } from '../check.ts';
import { everydayLoad } from '../everyday-load.ts';
import { deployments, kubectl } from '../kubectl.ts';

const aroundMs = 5_000;
const warmUpMs = 10_000;

/** Partners do not all come in the same second to a system that nobody has used yet: it is brought up to the rate. */
async function warmUp(requests: Omit<Parameters<typeof startLoad>[0], 'rate'>, rate: number): Promise<void> {
  for (const share of [0.25, 0.5, 0.75]) {
    const load = startLoad({ ...requests, rate: rate * share });
    await delay(warmUpMs);
    await load.stop();
  }
}

/** Every deployment anew, one after the other, while partners go on working. */
export const rollingRestart: Check = {
  name: 'rolling-restart',
  promise: 'rolling restart of every deployment under >= 200 requests/s: 0 failed requests',
  async run({ settings, reached, say }) {
    const system = await reached();
    const requests = { origin: system.gatewayAtNode, ...(await everydayLoad(system)) };
    await warmUp(requests, settings.rate);
    const load = startLoad({ ...requests, rate: settings.rate });
    await delay(aroundMs);
    const names = await deployments();
    for (const name of names) {
      await kubectl(['rollout', 'restart', `deployment/${name}`]);
      await kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=300s']);
      say(`${name} restarted; ${load.sent()} requests, ${load.failures.length} failed`);
    }
    await delay(aroundMs);
    const { sent, failures, p50Ms, p99Ms, perSecond } = await load.stop();
    for (const { at, kind, what } of failures.slice(0, 20)) say(`  ${at} ${kind}: ${what}`);
    const kinds = Map.groupBy(failures, ({ kind, what }) => `${kind}: ${what}`);
    for (const [reason, { length }] of kinds) say(`  ${length} × ${reason}`);
    const rate = `${sent} requests at ${perSecond.toFixed(0)}/s`;
    return {
      ok: failures.length === 0 && perSecond >= 200 && names.length >= 6,
      measured: `${names.length} deployments, ${rate}, ${failures.length} failed, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`,
    };
  },
};
