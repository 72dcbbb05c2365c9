import { between, type Sample } from './samples.ts';
import type { Counts } from './world.ts';

type Found = {
  samples: readonly Sample[];
  counts: Counts;
  say: (line: string) => void;
};

/** A part at the beginning and one as long at the end are compared: a quarter of the run each. */
const part = 4;

/** Both sides of each figure, and whether the aim is met (quality.md, G10). */
export function report({ samples, counts, say }: Found): void {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (!first || !last) return;
  const length = Math.max(1, Math.floor((samples.length - 1) / part));
  const all = between(first, last);
  const early = between(first, samples[length] ?? last);
  const late = between(samples.at(-1 - length) ?? first, last);
  say(`even: ${all.perSecond.toFixed(1)} checks/s, ${all.checks} checks, ${all.refused} refused as spikes`);
  say(
    `lateness of ${counts.first_requests} receipts by the government's ledger: p50 ${counts.late_p50_ms} ms, p99 ${counts.late_p99_ms} ms, max ${counts.late_max_ms} ms (aim: p99 ≤ 1000)`,
  );
  const times = (one: number, other: number) =>
    `${one.toFixed(1)} / ${other.toFixed(1)} µs = ${(one / other).toFixed(2)} ×`;
  say(
    `mongod CPU per check and per row of plain bulk updates at the same time: ${times(all.mongodUs, all.floorUs)} (aim ≤ 1.3)`,
  );
  say(
    `last quarter against the first: ${times(late.mongodUs, early.mongodUs)} (aim ≤ 1.1); the bulk updates': ${times(late.floorUs, early.floorUs)}`,
  );
  const memory = samples.map(({ monitorMiB }) => monitorMiB.toFixed(0)).join(' ');
  say(`monitor's memory, MiB, minute by minute: ${memory}`);
}
