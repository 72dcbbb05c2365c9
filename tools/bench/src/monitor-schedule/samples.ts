import { cpuSeconds, rssMiB } from './processes.ts';
import type { BenchWorld } from './world.ts';

/** Everything so far, at one moment. */
export type Sample = {
  atMs: number;
  checks: number;
  refused: number;
  mongodCpu: number;
  monitorCpu: number;
  governmentCpu: number;
  monitorMiB: number;
};

export async function takeSample(world: BenchWorld, monitorPid: number): Promise<Sample> {
  const { answered, refused } = await world.counts();
  return {
    atMs: performance.now(),
    checks: answered,
    refused,
    mongodCpu: cpuSeconds(world.mongodPid),
    monitorCpu: cpuSeconds(monitorPid),
    governmentCpu: cpuSeconds(world.governmentPid),
    monitorMiB: rssMiB(monitorPid),
  };
}

/** What happened between two moments: checks per second, and CPU per check, µs. */
export function between(before: Sample, after: Sample) {
  const checks = after.checks - before.checks;
  const seconds = (after.atMs - before.atMs) / 1_000;
  const perCheck = (cpu: number) => (checks === 0 ? 0 : (cpu * 1e6) / checks);
  return {
    checks,
    refused: after.refused - before.refused,
    perSecond: checks / seconds,
    mongodUs: perCheck(after.mongodCpu - before.mongodCpu),
    monitorUs: perCheck(after.monitorCpu - before.monitorCpu),
    governmentUs: perCheck(after.governmentCpu - before.governmentCpu),
    mongodShare: (after.mongodCpu - before.mongodCpu) / seconds,
  };
}
