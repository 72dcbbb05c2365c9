/** What a check costs mongod, compared with plain bulk updates of as many rows in the same minutes (G10 in quality.md). */
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { baseIntervalMs } from '../../../services/monitor/src/domain/schedule.ts';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { end } from './kit/processes.ts';
import { startControl } from './monitor-schedule/control.ts';
import { between, report, rowOf, type Sample, takeSample } from './monitor-schedule/report.ts';
import { startWorld } from './monitor-schedule/world.ts';

/** The monitor starts so long before the first due time, to have its lease by then, ms. */
const startsInMs = 20_000;
/** Allowance for setting the due times, besides twice the time that they took at first, ms. */
const slackMs = 30_000;
const warmUpMs = 10_000;
const sampleMs = 60_000;
/** Load of the even part, as a share of the sustained rate. */
const load = 0.9;

const options = numberOptions({
  receipts: 1_000_000,
  /** Length of the even part, min. */
  minutes: 20,
  /** Length of the part in which more is due than the rate allows, s. */
  saturated: 180,
  /** Sustained checks/s. 0 measures them; a small store is empty too soon for that. */
  sustained: 0,
  rate: 1_000,
  /** Cache of each mongod, GiB. It must hold every watched receipt (docs/operations.md, Scale). */
  cache: 4,
  /** mongod keeps overwritten rows for 300 s, and each minute costs more until then. Waited for before a measurement, s. */
  history: 310,
});
const historyMs = options.history * 1_000;
/** After this time a receipt of the bench, whose class is `normal`, is checked again in production, ms. */
const productionMs = baseIntervalMs('normal');
exitOnSignals();

say(`# monitor schedule: ${options.receipts} watched receipts, ${options.rate} requests/s allowed`);
const world = await startWorld({ ...options, cacheGiB: options.cache });
try {
  const startedMs = performance.now();
  await Promise.all(world.stores.map((store) => store.makeDue()));
  const storeMs = performance.now() - startedMs;
  const sustained = options.sustained || (await measureSaturated());
  say(
    `sustained: ${sustained.toFixed(1)} checks/s, ${((100 * sustained) / options.rate).toFixed(1)} % of the rate`,
  );
  const samples = await measureEven((options.receipts / (sustained * load)) * 1_000, storeMs);
  report(samples, await world.lateness());
} finally {
  await world.stop();
}

/** Starts monitor and control, and waits for the first checks; `startMs` is the first due time. */
async function start(intervalMs: number, startMs = 0) {
  await Promise.all(world.stores.map((store) => store.flush()));
  const checks = async () => (await world.counts()).answered;
  const before = await checks();
  const scale = intervalMs / productionMs;
  const control = await startControl(world.stores[1], { checks, scale });
  await delay(Math.max(0, startMs - startsInMs - Date.now()));
  const monitor = await world.startMonitor(scale);
  await waitFor(async () => (await checks()) > before + 10, {
    timeoutMs: 120_000,
    intervalMs: 250,
    what: 'the first checks',
  });
  return {
    sample: () => takeSample({ world, monitorPid: monitor.pid, controlRows: control.written }),
    async stop(): Promise<void> {
      await control.stop();
      await end(monitor);
    },
  };
}

async function measureSaturated(): Promise<number> {
  const run = await start(productionMs);
  await delay(warmUpMs);
  const before = await run.sample();
  await delay(options.saturated * 1_000);
  const after = await run.sample();
  await run.stop();
  table([rowOf('saturated', before, after)]);
  return between(before, after).perSecond;
}

async function measureEven(intervalMs: number, storeMs: number): Promise<Sample[]> {
  const run = await start(intervalMs, await setDueTimes(intervalMs, storeMs));
  await delay(historyMs);
  const samples = [await run.sample()];
  for (let minute = 0; minute < options.minutes; minute++) {
    await delay(sampleMs);
    samples.push(await run.sample());
  }
  await run.stop();
  return samples;
}

async function setDueTimes(intervalMs: number, storeMs: number): Promise<number> {
  const startMs = Date.now() + 2 * storeMs + slackMs + historyMs;
  await Promise.all(world.stores.map((store) => store.makeSteady(intervalMs, new Date(startMs))));
  await world.sendDueTimes();
  if (Date.now() > startMs - historyMs)
    throw new Error(`setting the due times took over ${slackMs} ms more than twice the first time`);
  return startMs;
}
