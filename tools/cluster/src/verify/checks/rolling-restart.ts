import { setTimeout as delay } from 'node:timers/promises';
import { deployments } from '../../kit/kubectl.ts';
import { restart } from '../../kit/rollouts.ts';
import { type LoadOptions, startLoad } from '../../load/load.ts';
import type { Check } from '../check.ts';
import { everydayRequests, printFailures, summaryOf } from '../everyday-load.ts';

const aroundMs = 5_000;
const warmUpMs = 10_000;

/** Raises the rate step by step: a system without any load does not get its full load within a second. */
async function warmUp(requests: Omit<LoadOptions, 'rate'>, rate: number): Promise<void> {
  for (const share of [0.25, 0.5, 0.75]) {
    const load = startLoad({ ...requests, rate: rate * share });
    await delay(warmUpMs);
    await load.stop();
  }
}

export const rollingRestart: Check = {
  name: 'rolling-restart',
  promise: 'rolling restart of every deployment under the load of VERIFY_RATE: 0 failed requests',
  async run({ settings, reached, say }) {
    const requests = await everydayRequests(await reached());
    await warmUp(requests, settings.rate);
    const load = startLoad({ ...requests, rate: settings.rate });
    await delay(aroundMs);
    const names = await deployments();
    for (const name of names) {
      await restart(`deployment/${name}`);
      say(`${name} restarted; ${load.sent()} requests, ${load.failures.length} failed`);
    }
    await delay(aroundMs);
    const totals = await load.stop();
    const { failures, p50Ms, p99Ms, perSecond } = totals;
    printFailures(totals, say);
    const kinds = Map.groupBy(failures, ({ kind, error }) => `${kind}: ${error}`);
    for (const [reason, { length }] of kinds) say(`  ${length} × ${reason}`);
    return {
      ok: failures.length === 0 && perSecond >= 0.99 * settings.rate && names.length >= 6,
      measured: `${names.length} deployments, ${summaryOf(totals)}, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`,
    };
  },
};
