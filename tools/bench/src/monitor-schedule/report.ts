import { between, type Sample } from './samples.ts';
import type { Counts } from './world.ts';

type Found = {
  samples: readonly Sample[];
  /** CPU of mongod per row of a bulk update, µs: beside a busy core, as the checks have one, and alone. */
  floors: { besideUs: number; aloneUs: number };
  counts: Counts;
  say: (line: string) => void;
};

/** A part at the beginning and one as long at the end are compared: a quarter of the run each. */
const part = 4;

/** Both sides of each figure, and whether the aim is met (quality.md, G10). */
export function report({ samples, floors, counts, say }: Found): void {
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
  const { besideUs, aloneUs } = floors;
  const times = (floorUs: number) => `${(all.mongodUs / floorUs).toFixed(2)} × ${floorUs.toFixed(1)} µs`;
  say(
    `mongod CPU per check: ${all.mongodUs.toFixed(1)} µs = ${times(besideUs)}, the floor beside a busy core (aim ≤ 1.3); ${times(aloneUs)}, the floor alone`,
  );
  say(
    `last quarter against the first: ${late.mongodUs.toFixed(1)} / ${early.mongodUs.toFixed(1)} µs = ${(late.mongodUs / early.mongodUs).toFixed(2)} × (aim ≤ 1.1)`,
  );
  const memory = samples.map(({ monitorMiB }) => monitorMiB.toFixed(0)).join(' ');
  say(`monitor's memory, MiB, minute by minute: ${memory}`);
}
