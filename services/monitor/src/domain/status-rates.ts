import { matchStatus, type StatusFacts } from '@casewatch/contracts';
import { type Bucket, bucketOfRate, usualRate } from './buckets.ts';
import { titleKey } from './words.ts';
import publicRates from './status-rates.json' with { type: 'json' };

/** Days in which receipts showed a status, and how often it changed. */
export type RateCounter = { days: number; changes: number };

/** By `statusKeyOf`. */
export type RateCounters = ReadonlyMap<string, RateCounter>;

type Shown = Pick<StatusFacts, 'status_code' | 'form_type'>;

/** `weight`: a change matters less; 1 if missing. Rates are changes per day; `forms` has the rates by form. */
type Prior = { title: string; changes_per_day: number; weight?: number; forms: Record<string, number> };

/** Days that a prior counts for. */
const priorDays = 5_000;
const other = 'other';

/** Rates of the public data (tools/bench/data). Of several titles of a status, the first has the most case-days. */
const priors: ReadonlyMap<string, Prior> = new Map(
  (publicRates as Prior[]).toReversed().map((row) => [titleKey(row.title), row]),
);

function placeOf({ status_code, form_type }: Shown): { slug: string; form: string; prior?: Prior } {
  const slug = titleKey(status_code);
  const prior = priors.get(slug);
  const form = form_type ?? 'unknown';
  if (prior) return { slug, form, prior };
  return { slug: matchStatus(status_code).knownStatus ? slug : other, form };
}

export function statusKeyOf(shown: Shown): string {
  const { slug, form } = placeOf(shown);
  return `${slug} ${form}`;
}

/** How often this status of this form changes, changes per day; weighted by how much the change matters. */
export function weightedRateOf(shown: Shown, counters: RateCounters): number {
  const { prior, form } = placeOf(shown);
  const expected = prior?.forms[form] ?? prior?.changes_per_day ?? usualRate;
  const { days, changes } = counters.get(statusKeyOf(shown)) ?? { days: 0, changes: 0 };
  const rate = (changes + priorDays * expected) / (days + priorDays);
  return rate * (prior?.weight ?? 1);
}

export function bucketOfStatus(shown: Shown | null, counters: RateCounters): Bucket {
  return bucketOfRate(shown ? weightedRateOf(shown, counters) : usualRate);
}

/** One more check: a status that has changed did so in the middle of the interval, on average. */
export function checkedOnce(counter: RateCounter, days: number, isChanged: boolean): RateCounter {
  const { days: before, changes } = counter;
  return isChanged ? { days: before + days / 2, changes: changes + 1 } : { days: before + days, changes };
}
