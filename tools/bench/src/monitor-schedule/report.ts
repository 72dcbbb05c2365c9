import { say, table } from '../kit/cli.ts';
import { cpuSeconds, rssMiB } from '../kit/processes.ts';
import type { World } from './world.ts';

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
function between(before: Sample, after: Sample) {
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

function rowOf(part: string, before: Sample, after: Sample) {
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

const aims = { cost: 2, growth: 1.1, rate: 0.99 };
/** The monitor leaves this part of the rate unused (USCIS_PACE_MARGIN). */
const margin = 0.05;

/** Minute by minute, and the aims of G10 (quality.md). Returns whether they are met. */
export function report(samples: readonly Sample[], rate: number): boolean {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (!first || !last) return false;
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
  const all = between(first, last);
  const [early, late] = [between(...quarters[0]), between(...quarters[1])];
  const used = all.perSecond / (rate * (1 - margin));
  const cost = all.mongodUs / all.controlUs;
  const growth = late.mongodUs / early.mongodUs;
  say(
    `used: ${(used * 100).toFixed(1)} % of the pace, ${(1 - margin) * 100} % of the rate (aim ≥ ${aims.rate * 100} %)`,
  );
  say(`mongod ÷ control: ${cost.toFixed(2)} (aim ≤ ${aims.cost})`);
  say(
    `last quarter ÷ first: mongod ${growth.toFixed(2)} (aim ≤ ${aims.growth}), control ${(late.controlUs / early.controlUs).toFixed(2)}`,
  );
  return used >= aims.rate && cost <= aims.cost && growth <= aims.growth;
}
