import type { Term } from './disturb.ts';
import type { LedgerRow } from './stand-in.ts';

export type Found = {
  requests: number;
  refused: number;
  /** Least distance of two requests at the stand-in, and how many were below 0.95 / rate, ms. */
  leastGapMs: number;
  shortGaps: number;
  /** Part of the rate that was used while a sender held its lease: all terms, and the worst. */
  used: number;
  usedWorst: number;
  /** From each fault, or the first moment when somebody could take over, to the next request, s. */
  takeOvers: number[];
};

/** A gap may be so much shorter than the rate says (quality.md, G9). */
const tolerated = 0.95;
/** Shorter terms say little about a rate, ms. */
const shortestMs = 20_000;

/** What the ledger says of a round. */
export function judge(rows: readonly LedgerRow[], terms: readonly Term[], rate: number): Found {
  const monotonic = rows.map(({ monotonic_ms }) => monotonic_ms);
  const gaps = monotonic.slice(1).map((ms, i) => ms - (monotonic[i] ?? 0));
  const times = rows.map(({ time }) => Date.parse(time));
  const within = ({ fromMs, toMs }: Term) => times.filter((ms) => ms >= fromMs && ms < toMs).length;
  const seconds = ({ fromMs, toMs }: Term) => (toMs - fromMs) / 1_000;
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const long = terms.filter((term) => term.toMs - term.fromMs >= shortestMs);
  return {
    requests: rows.length,
    refused: rows.filter(({ status }) => status === 429).length,
    leastGapMs: gaps.reduce((least, gap) => Math.min(least, gap), Number.POSITIVE_INFINITY),
    shortGaps: gaps.filter((gap) => gap < (tolerated * 1_000) / rate).length,
    used: sum(terms.map(within)) / (sum(terms.map(seconds)) * rate),
    usedWorst: Math.min(...long.map((term) => within(term) / (seconds(term) * rate))),
    takeOvers: terms.slice(0, -1).map(({ vacantMs }) => {
      const next = times.find((ms) => ms > vacantMs + 1_000 / rate);
      return next === undefined ? Number.POSITIVE_INFINITY : (next - vacantMs) / 1_000;
    }),
  };
}
