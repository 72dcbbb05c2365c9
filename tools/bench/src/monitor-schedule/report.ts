import { say, table } from '../kit/cli.ts';
import { cpuSeconds, rssMiB } from '../kit/processes.ts';
import type { Lateness, World } from './world.ts';

/** All counters at one moment; CPU in seconds. */
export type Sample = Awaited<ReturnType<typeof takeSample>>;

type Measured = { world: World; monitorPid: number; controlRows: () => number };

export async function takeSample({ world, monitorPid, controlRows }: Measured) {
  const { answered, refused } = await world.counts();
  return {
    atMs: performance.now(),
    checks: answered,
    refused,
    mongodCpu: cpuSeconds(world.mongodPid),
    controlRows: controlRows(),
    controlCpu: cpuSeconds(world.controlPid),
    monitorCpu: cpuSeconds(monitorPid),
    governmentCpu: cpuSeconds(world.governmentPid),
    monitorMiB: rssMiB(monitorPid),
  };
}

/** Between two samples: checks per second, and CPU per check and per row of the control, µs. */
export function between(before: Sample, after: Sample) {
  const checks = after.checks - before.checks;
  const rows = after.controlRows - before.controlRows;
  const us = (cpu: number, count: number) => (count === 0 ? 0 : (cpu * 1e6) / count);
  return {
    checks,
    refused: after.refused - before.refused,
    perSecond: (checks * 1_000) / (after.atMs - before.atMs),
    mongodUs: us(after.mongodCpu - before.mongodCpu, checks),
    controlUs: us(after.controlCpu - before.controlCpu, rows),
    monitorUs: us(after.monitorCpu - before.monitorCpu, checks),
    governmentUs: us(after.governmentCpu - before.governmentCpu, checks),
    monitorMiB: after.monitorMiB,
  };
}

export function rowOf(part: string, before: Sample, after: Sample) {
  const span = between(before, after);
  return {
    part,
    checks: span.checks,
    'checks/s': span.perSecond.toFixed(1),
    refused: span.refused,
    'mongod µs/check': span.mongodUs.toFixed(1),
    'control µs/row': span.controlUs.toFixed(1),
    'mongod ÷ control': (span.mongodUs / span.controlUs).toFixed(2),
    'monitor µs/check': span.monitorUs.toFixed(0),
    'government µs/check': span.governmentUs.toFixed(0),
    'monitor MiB': span.monitorMiB.toFixed(0),
  };
}

/** The even part, minute by minute, and the aims of G10 (quality.md). */
export function report(samples: readonly Sample[], { receipts, p50, p99, max }: Lateness): void {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (!first || !last) return;
  const length = Math.max(1, Math.floor((samples.length - 1) / 4));
  const quarters = [
    [first, samples[length] ?? last],
    [samples.at(-1 - length) ?? first, last],
  ] as const;
  const minutes = samples.slice(1).map((sample, i) => rowOf(`minute ${i + 1}`, samples[i] ?? first, sample));
  table([
    ...minutes,
    rowOf('first quarter', ...quarters[0]),
    rowOf('last quarter', ...quarters[1]),
    rowOf('all', first, last),
  ]);
  const [early, late] = [between(...quarters[0]), between(...quarters[1])];
  say('aim: mongod ÷ control of all ≤ 1.3');
  say(
    `last quarter ÷ first: mongod ${(late.mongodUs / early.mongodUs).toFixed(2)} (aim ≤ 1.1), control ${(late.controlUs / early.controlUs).toFixed(2)}`,
  );
  say(
    `lateness of ${receipts} receipts at the government, ms: p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} (aim ≤ 1000), max ${max.toFixed(0)}`,
  );
}
