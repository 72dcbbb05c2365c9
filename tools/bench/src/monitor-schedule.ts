/** What a check costs mongod, compared with updates by id of as many rows in the same minutes (G10 in quality.md). */
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { exitOnSignals, numberOptions, say } from './kit/cli.ts';
import { end } from './kit/processes.ts';
import { startControl } from './monitor-schedule/control.ts';
import { report, type Sample, takeSample } from './monitor-schedule/report.ts';
import { startWorld } from './monitor-schedule/world.ts';

const sampleMs = 60_000;
/** Intervals are at least 30 minutes at scale 1; here the plan decides. */
const freeMs = 2 * 60 * 60 * 1_000;

const options = numberOptions({
  receipts: 1_000_000,
  minutes: 20,
  /** Requests/s that the government allows. The day's quota allows as many. */
  rate: 100,
  /** Cache of each mongod, GiB. It must hold every watched receipt (docs/operations.md, Scale). */
  cache: 4,
  /** mongod keeps overwritten rows for 300 s, and each minute costs more until then. Waited for before the measurement, s. */
  history: 310,
});
const intervalMs = (options.receipts * 1_000) / options.rate;
exitOnSignals();

say(`# monitor schedule: ${options.receipts} watched receipts, ${options.rate} requests/s allowed`);
const world = await startWorld({ ...options, cacheGiB: options.cache });
try {
  await Promise.all(world.stores.map((store) => store.makeSteady(intervalMs)));
  await Promise.all(world.stores.map((store) => store.flush()));
  const isMet = report(await measure(), options.rate);
  process.exitCode = isMet ? 0 : 1;
} finally {
  await world.stop();
}

async function measure(): Promise<Sample[]> {
  const checks = async () => (await world.counts()).answered;
  const before = await checks();
  const control = await startControl(world.stores[1], { checks, rowsPerWrite: options.rate });
  const monitor = await world.startMonitor(Math.min(1, intervalMs / freeMs));
  await waitFor(async () => (await checks()) > before + 10, {
    timeoutMs: 120_000,
    intervalMs: 250,
    what: 'the first checks',
  });
  const sample = () => takeSample({ world, monitorPid: monitor.pid, controlRows: control.written });
  await delay(options.history * 1_000);
  const samples = [await sample()];
  for (let minute = 0; minute < options.minutes; minute++) {
    await delay(sampleMs);
    samples.push(await sample());
  }
  await control.stop();
  await end(monitor);
  return samples;
}
