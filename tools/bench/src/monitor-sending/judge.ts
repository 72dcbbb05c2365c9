import type { Term } from './disturb.ts';
import type { LedgerRow } from './world.ts';

export type Result = {
  requests: number;
  refused: number;
  /** Least gap between two requests at the stand-in, and how many gaps were below 0.95 / rate, ms. */
  leastGapMs: number;
  shortGaps: number;
  /** Share of the rate that was used while a sender held its lease: of all terms, and of the worst. */
  used: number;
  usedWorst: number;
  /** From each fault, or the first moment at which another replica could take over, to the next request, s. */
  takeOvers: number[];
};

/** A gap may be this much shorter than the rate says (quality.md, G9). */
const tolerance = 0.95;
/** Shorter terms say little about a rate, ms. */
const shortestMs = 20_000;

export function judge(rows: readonly LedgerRow[], terms: readonly Term[], rate: number): Result {
  const gaps = rows.slice(1).map(({ monotonic_ms }, i) => monotonic_ms - (rows[i]?.monotonic_ms ?? 0));
  const times = rows.map(({ time }) => Date.parse(time));
  const requestsIn = ({ fromMs, toMs }: Term) => times.filter((ms) => ms >= fromMs && ms < toMs).length;
  const secondsOf = ({ fromMs, toMs }: Term) => (toMs - fromMs) / 1_000;
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const long = terms.filter((term) => term.toMs - term.fromMs >= shortestMs);
  return {
    requests: rows.length,
    refused: rows.filter(({ status }) => status === 429).length,
    leastGapMs: gaps.reduce((least, gap) => Math.min(least, gap), Number.POSITIVE_INFINITY),
    shortGaps: gaps.filter((gap) => gap < (tolerance * 1_000) / rate).length,
    used: sum(terms.map(requestsIn)) / (sum(terms.map(secondsOf)) * rate),
    usedWorst: Math.min(...long.map((term) => requestsIn(term) / (secondsOf(term) * rate))),
    takeOvers: terms.slice(0, -1).map(({ vacantMs }) => {
      const next = times.find((ms) => ms > vacantMs + 1_000 / rate);
      return next === undefined ? Number.POSITIVE_INFINITY : (next - vacantMs) / 1_000;
    }),
  };
}
