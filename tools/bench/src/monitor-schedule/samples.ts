import { cpuSeconds, rssMiB } from '../processes.ts';
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

/** What happened between two moments: checks per second, and CPU per check and per row, µs. */
export function between(before: Sample, after: Sample) {
  const checks = after.checks - before.checks;
  const seconds = (after.atMs - before.atMs) / 1_000;
  const us = (cpu: number, count: number) => (count === 0 ? 0 : (cpu * 1e6) / count);
  return {
    checks,
    refused: after.refused - before.refused,
    perSecond: checks / seconds,
    mongodUs: us(after.mongodCpu - before.mongodCpu, checks),
    floorUs: us(after.floorCpu - before.floorCpu, after.floorRows - before.floorRows),
    monitorUs: us(after.monitorCpu - before.monitorCpu, checks),
    governmentUs: us(after.governmentCpu - before.governmentCpu, checks),
  };
}
