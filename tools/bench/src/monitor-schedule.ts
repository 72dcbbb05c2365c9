import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Floor, startFloor } from './monitor-schedule/floor.ts';
import { productionIntervalMs } from './monitor-schedule/interval.ts';
import { report } from './monitor-schedule/report.ts';
import { between, type Sample, takeSample } from './monitor-schedule/samples.ts';
import { readSettings } from './monitor-schedule/settings.ts';
import { type BenchWorld, startWorld } from './monitor-schedule/world.ts';
import { end } from './processes.ts';

/** Due times begin this long after the monitor is started: by then it holds its lease, ms. */
const startsInMs = 20_000;
/** The store is given so much more time than it needed the first time to set all due times, ms. */
const storeSlackMs = 30_000;
/** mongod keeps what was overwritten for 300 s and has work with it: setting all due times is not the monitor's, ms. */
const historyMs = 310_000;
/** Where all due times were set within this, that work is not worth waiting for, ms. */
const littleMs = 2_000;
const warmUpMs = 10_000;
const sampleMs = 60_000;
/** The even part asks for so much of what was sustained. */
const load = 0.9;

const settings = readSettings(process.argv.slice(2));
const say = (line: string) => process.stdout.write(`${line}\n`);

// Side by side: what a row costs drifts from minute to minute by more than what is to be seen.
const [world, twin] = await Promise.all([
  startWorld(settings.rate, settings.cacheGiB),
  startWorld(settings.rate, settings.cacheGiB),
]);
const both = [world, twin];
try {
  say(`# monitor schedule: ${settings.receipts} watched receipts, ${settings.rate} requests/s allowed`);
  await forBoth(async ({ store, template }) => store.fill(settings.receipts, await template()));
  const storeMs = await timed(() => forBoth(({ store }) => store.makeDue()));
  const sustained = settings.sustained || (await saturated());
  say(
    `sustained: ${sustained.toFixed(1)} checks/s (${((100 * sustained) / settings.rate).toFixed(1)} % of the rate)`,
  );
  const samples = await steady((settings.receipts / (sustained * load)) * 1_000, storeMs);
  report({ samples, counts: await world.counts(), say });
} finally {
  await forBoth((one) => one.stop());
}

async function forBoth(work: (one: BenchWorld) => Promise<void>): Promise<void> {
  await Promise.all(both.map(work));
}

/** The other store gets plain bulk updates in the minutes in which this one gets checks, and as many. */
function startFloorBeside(intervalMs: number): Promise<Floor> {
  const checks = async () => (await world.counts()).answered;
  return startFloor(twin.store, { checks, intervalMs });
}

/** More is due than can be asked. */
async function saturated(): Promise<number> {
  await forBoth(({ store }) => store.settle());
  const floor = await startFloorBeside(productionIntervalMs);
  const monitor = await world.startMonitor(productionIntervalMs);
  await firstChecks(world);
  await delay(warmUpMs);
  const compared = { world, monitorPid: monitor.pid, twin, floorRows: floor.written };
  const before = await takeSample(compared);
  await delay(settings.saturatedSeconds * 1_000);
  const measured = between(before, await takeSample(compared));
  say(
    `saturated: ${measured.checks} checks, ${measured.refused} refused as spikes; CPU per check: monitor ${measured.monitorUs.toFixed(0)} µs, mongod ${measured.mongodUs.toFixed(0)} µs (a row of a bulk update: ${measured.floorUs.toFixed(0)} µs), government ${measured.governmentUs.toFixed(0)} µs`,
  );
  await floor.stop();
  await end(monitor);
  return measured.perSecond;
}

/** As much is due as the bench asks for, evenly. */
async function steady(intervalMs: number, storeMs: number): Promise<Sample[]> {
  const startMs = await setDueTimes(intervalMs, storeMs);
  await forBoth(({ store }) => store.settle());
  const { answered } = await world.counts();
  const floor = await startFloorBeside(intervalMs);
  await delay(Math.max(0, startMs - startsInMs - Date.now()));
  const monitor = await world.startMonitor(intervalMs);
  await firstChecks(world, answered);
  // While what was overwritten is kept, each minute costs more than the one before; from then on as much as it ever will.
  await delay(historyMs);
  const compared = { world, monitorPid: monitor.pid, twin, floorRows: floor.written };
  const samples = [await takeSample(compared)];
  for (let minute = 0; minute < settings.minutes; minute++) {
    await delay(sampleMs);
    const sample = await takeSample(compared);
    const last = between(samples.at(-1) ?? sample, sample);
    samples.push(sample);
    say(
      `min ${minute + 1}: ${last.perSecond.toFixed(1)} checks/s; mongod ${last.mongodUs.toFixed(1)} µs/check, ${last.floorUs.toFixed(1)} µs/row; monitor ${last.monitorUs.toFixed(0)} µs/check, ${sample.monitorMiB.toFixed(0)} MiB`,
    );
  }
  await floor.stop();
  say(latenessLines(await world.metrics()));
  await end(monitor);
  return samples;
}

/** Tells store and witness when each receipt is due; returns when the first ones are, ms since 1970. */
async function setDueTimes(intervalMs: number, storeMs: number): Promise<number> {
  const calmMs = storeMs < littleMs ? startsInMs : historyMs;
  const startMs = Date.now() + 2 * storeMs + storeSlackMs + calmMs;
  await forBoth(({ store }) => store.makeSteady(intervalMs, new Date(startMs)));
  const file = join(world.folder, 'due');
  await world.store.writeDueTimes(settings.receipts, file);
  await world.tellDueTimes(file);
  if (Date.now() > startMs - calmMs)
    throw new Error(
      `the store was too slow: it needed more than ${storeSlackMs} ms besides twice the first time`,
    );
  return startMs;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function firstChecks({ counts }: BenchWorld, already = 0): Promise<void> {
  for (const giveUpAt = performance.now() + 120_000; ; await delay(250)) {
    if ((await counts()).answered > already + 10) return;
    if (performance.now() > giveUpAt) throw new Error('nothing was asked for 2 minutes');
  }
}

function latenessLines(metrics: string): string {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('monitor_lateness') && /bucket|count/.test(line))
    .map((line) => `  ${line}`)
    .join('\n');
}
