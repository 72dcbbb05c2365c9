import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds, end, startNeighbour } from './monitor-schedule/processes.ts';
import { report } from './monitor-schedule/report.ts';
import { between, type Sample, takeSample } from './monitor-schedule/samples.ts';
import { readSettings } from './monitor-schedule/settings.ts';
import { type BenchWorld, startWorld } from './monitor-schedule/world.ts';

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
const floorRows = 1_000;
const dayMs = 24 * 60 * 60 * 1_000;
/** The even part asks for so much of what was sustained. */
const load = 0.9;

const settings = readSettings(process.argv.slice(2));
const say = (line: string) => process.stdout.write(`${line}\n`);

const world = await startWorld(settings.rate, settings.cacheGiB);
try {
  say(`# monitor schedule: ${settings.receipts} watched receipts, ${settings.rate} requests/s allowed`);
  const template = await world.template();
  await world.store.fill(settings.receipts, template);
  const storeMs = await timed(() => world.store.makeDue());
  const sustained = settings.sustained || (await saturated());
  say(
    `sustained: ${sustained.toFixed(1)} checks/s (${((100 * sustained) / settings.rate).toFixed(1)} % of the rate)`,
  );
  const samples = await steady(sustained, storeMs);
  const counts = await world.counts();
  const floors = {
    besideUs: await floorBesideUs(sustained * load),
    aloneUs: await floorUs(sustained * load),
  };
  report({ samples, floors, counts, say });
} finally {
  await world.stop();
}

/** More is due than can be asked. */
async function saturated(): Promise<number> {
  await world.store.settle();
  const monitor = await world.startMonitor({});
  await firstChecks(world);
  await delay(warmUpMs);
  const before = await takeSample(world, monitor.pid);
  await delay(settings.saturatedSeconds * 1_000);
  const measured = between(before, await takeSample(world, monitor.pid));
  say(
    `saturated: ${measured.checks} checks, ${measured.refused} refused as spikes; CPU per check: monitor ${measured.monitorUs.toFixed(0)} µs, mongod ${measured.mongodUs.toFixed(0)} µs, government ${measured.governmentUs.toFixed(0)} µs`,
  );
  await end(monitor);
  return measured.perSecond;
}

/** As much is due as the bench asks for, evenly. */
async function steady(sustained: number, storeMs: number): Promise<Sample[]> {
  const intervalMs = (settings.receipts / (sustained * load)) * 1_000;
  const startMs = await setDueTimes(intervalMs, storeMs);
  await world.store.settle();
  const { answered } = await world.counts();
  await delay(Math.max(0, startMs - startsInMs - Date.now()));
  const monitor = await world.startMonitor({ MONITOR_INTERVAL_SCALE: String(intervalMs / dayMs) });
  await firstChecks(world, answered);
  // Rows of a small store are overwritten while their history is kept: it costs as much as it ever will from then on.
  await delay(intervalMs < historyMs ? historyMs : warmUpMs);
  const samples = [await takeSample(world, monitor.pid)];
  for (let minute = 0; minute < settings.minutes; minute++) {
    await delay(sampleMs);
    const sample = await takeSample(world, monitor.pid);
    const last = between(samples.at(-1) ?? sample, sample);
    samples.push(sample);
    say(
      `min ${minute + 1}: ${last.perSecond.toFixed(1)} checks/s; mongod ${last.mongodUs.toFixed(1)} µs/check; monitor ${last.monitorUs.toFixed(0)} µs/check, ${sample.monitorMiB.toFixed(0)} MiB`,
    );
  }
  say(latenessLines(await world.metrics()));
  await end(monitor);
  return samples;
}

/** Tells store and witness when each receipt is due; returns when the first ones are, ms since 1970. */
async function setDueTimes(intervalMs: number, storeMs: number): Promise<number> {
  const calmMs = storeMs < littleMs ? startsInMs : historyMs;
  const startMs = Date.now() + 2 * storeMs + storeSlackMs + calmMs;
  await world.store.makeSteady(intervalMs, new Date(startMs));
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

/** The same beside a busy core, as the checks have one: there mongod's microseconds are dearer. */
async function floorBesideUs(perSecond: number): Promise<number> {
  const neighbour = await startNeighbour(settings.rate);
  const us = await floorUs(perSecond);
  await end(neighbour);
  return us;
}

/**
 * CPU of mongod per row of bulk updates of 1,000, µs, at the pace of the checks and right after them: what it does later
 * for what was written (checkpoints, the history of its pages) is a part of the cost of both.
 */
async function floorUs(perSecond: number): Promise<number> {
  const rows = Math.min(floorRows, settings.receipts);
  const [startMs, before] = [performance.now(), cpuSeconds(world.mongodPid)];
  const endMs = startMs + settings.floorSeconds * 1_000;
  let written = 0;
  for (let dueMs = startMs; dueMs < endMs; dueMs += (rows / perSecond) * 1_000) {
    await delay(Math.max(0, dueMs - performance.now()));
    await world.store.updateMany(rows, settings.receipts);
    written += rows;
  }
  return ((cpuSeconds(world.mongodPid) - before) * 1e6) / written;
}

function latenessLines(metrics: string): string {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('monitor_lateness') && /bucket|count/.test(line))
    .map((line) => `  ${line}`)
    .join('\n');
}
