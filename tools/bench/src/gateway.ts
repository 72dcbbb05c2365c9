/** G1: CPU of the gateway for an authenticated GET, beside a bare proxy. G2: with traces of every tenth request, beside without. */
import { Pool } from 'undici';
import { inParallel } from './kit/load.ts';
import { exactCpuMs, judge, median, numberOptions, say } from './kit/report.ts';
import { type Running, withSystem } from './kit/system.ts';

const { rounds, requests } = numberOptions({ rounds: 40, requests: 1_000 });
/** Rounds that do not count, while the code is compiled. */
const warmUps = 5;

await withSystem(`gateway: ${rounds} rounds of ${requests} requests`, {}, async (system) => {
  const { url: TARGET } = await system.floor('origin');
  const behind = { IDENTITY_URL: TARGET, CASES_URL: TARGET, WEBHOOKS_URL: TARGET, NOTIFIER_URL: TARGET };
  const silent = { ...behind, OTEL_EXPORTER_OTLP_ENDPOINT: undefined };
  const traced = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  const sides = {
    proxy: await system.floor('proxy', { TARGET }),
    gateway: await system.replica('gateway', silent),
    traced: await system.replica('gateway', { ...behind, ...traced }),
  };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const costs: Record<keyof typeof sides, number[]> = { proxy: [], gateway: [], traced: [] };
  for (let round = -warmUps; round < rounds; round++) {
    // Each side takes each place in turn, so that a machine that slows down affects all equally.
    const first = (round + warmUps) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const cost = await costOf(sides[name]);
      if (round >= 0) costs[name].push(cost);
    }
  }
  const [proxy, plain, withTraces] = names.map((name) => median(costs[name]));
  if (!proxy || !plain || !withTraces)
    throw new Error('the rounds are too short to measure: raise --requests');
  say(
    `CPU of a GET: proxy ${proxy.toFixed(0)} µs, gateway ${plain.toFixed(0)} µs, traced ${withTraces.toFixed(0)} µs`,
  );
  judge('G1 gateway ÷ bare proxy', plain / proxy, { atMost: 2 });
  judge('G2 telemetry on ÷ off', withTraces / plain, { atMost: 1.2 });

  /** CPU of one request, µs. Four requests at a time of each of two partners: fewer than the limit of a partner. */
  async function costOf({ url, pid }: Running): Promise<number> {
    const pool = new Pool(url, { connections: 8, pipelining: 1 });
    const before = exactCpuMs(pid);
    await inParallel(requests, 8, async (index) => {
      const keys = index % 2 === 0 ? system.dev.partner : system.dev.other_partner;
      const headers = { 'x-api-key': keys.api_key, 'x-api-secret': keys.api_secret };
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/v1/client/users', headers });
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${await body.text()}`);
      await body.dump();
    });
    await pool.close();
    return ((exactCpuMs(pid) - before) * 1_000) / requests;
  }
});
