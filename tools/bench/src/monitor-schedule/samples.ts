import { cpuSeconds, rssMiB } from './processes.ts';
import type { BenchWorld } from './world.ts';

/** Everything so far, at one moment. */
export type Sample = {
  atMs: number;
  checks: number;
  refused: number;
  mongodCpu: number;
  /** Rows that the plain bulk updates have written, and what that store's mongod has used. */
  floorRows: number;
  floorCpu: number;
  monitorCpu: number;
  governmentCpu: number;
  monitorMiB: number;
};

/** What is compared: the monitor in its world, and plain bulk updates in a store like it. */
export type Compared = {
  world: BenchWorld;
  monitorPid: number;
  twin: Pick<BenchWorld, 'mongodPid'>;
  floorRows: () => number;
};

export async function takeSample({ world, monitorPid, twin, floorRows }: Compared): Promise<Sample> {
  const { answered, refused } = await world.counts();
  return {
    atMs: performance.now(),
    checks: answered,
    refused,
    mongodCpu: cpuSeconds(world.mongodPid),
    floorRows: floorRows(),
    floorCpu: cpuSeconds(twin.mongodPid),
    monitorCpu: cpuSeconds(monitorPid),
    governmentCpu: cpuSeconds(world.governmentPid),
    monitorMiB: rssMiB(monitorPid),
  };
}

/** What happened between two moments: checks per second, and CPU per check, µs. */
export function between(before: Sample, after: Sample) {
  const checks = after.checks - before.checks;
  const seconds = (after.atMs - before.atMs) / 1_000;
  const rows = after.floorRows - before.floorRows;
  const perCheck = (cpu: number) => (checks === 0 ? 0 : (cpu * 1e6) / checks);
  return {
    checks,
    refused: after.refused - before.refused,
    perSecond: checks / seconds,
    mongodUs: perCheck(after.mongodCpu - before.mongodCpu),
    floorUs: rows === 0 ? 0 : ((after.floorCpu - before.floorCpu) * 1e6) / rows,
    monitorUs: perCheck(after.monitorCpu - before.monitorCpu),
    governmentUs: perCheck(after.governmentCpu - before.governmentCpu),
    mongodShare: (after.mongodCpu - before.mongodCpu) / seconds,
  };
}
