import type { CaseReference, StatusUpdated } from '@casewatch/contracts';

export type LedgerRow = { time: string; receipt: string; status: number };

type Found = {
  told: readonly StatusUpdated[];
  watching: ReadonlyMap<string, readonly CaseReference[]>;
  rows: readonly LedgerRow[];
  made: number;
  kills: number;
};

/** The number that a served text carries: which of the bench's changes it is; 0 = as it was. */
export function versionOf(description: string): number {
  return Number(/change (\d+)\./.exec(description)?.[1] ?? 0);
}

/** A receipt of two cases is asked for as often as one of one case; chance alone differs by less than this. */
const mostOften = 1.15;

/** Each change exactly once to each case that watches, and one request for two cases (quality.md, I1). */
export function judge({ told, watching, rows, made, kills }: Found, say: (line: string) => void): boolean {
  const changes = told.filter(({ status_update }) => versionOf(status_update.status_description) > 0);
  const counts = new Map<string, number>();
  for (const { case: about, status_update } of changes) {
    const key = `${about.id} ${versionOf(status_update.status_description)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const ids = new Set(told.map(({ status_update }) => status_update.id));
  const doubles = [...counts.values()].filter((count) => count > 1).length;
  const pairs = new Set(
    changes.map((row) => `${row.case.receipt_number} ${versionOf(row.status_update.status_description)}`),
  );
  const expected = [...pairs].reduce(
    (sum, pair) => sum + (watching.get(pair.split(' ')[0] ?? '')?.length ?? 0),
    0,
  );
  const perReceipt = Map.groupBy(rows, (row) => row.receipt);
  const mean = (wanted: number) => {
    const numbers = [...watching].flatMap(([receipt, cases]) =>
      cases.length === wanted ? [perReceipt.get(receipt)?.length ?? 0] : [],
    );
    return numbers.reduce((sum, count) => sum + count, 0) / Math.max(1, numbers.length);
  };
  const ratio = mean(2) / mean(1);
  say(`${made} changes made with ${kills} kills; ${pairs.size} of them told, in ${changes.length} updates`);
  say(
    `missing: ${made - pairs.size} changes, ${expected - counts.size} updates; told twice: ${doubles}; ids used twice: ${told.length - ids.size} (aim: 0 each)`,
  );
  say(
    `requests per receipt: ${mean(1).toFixed(1)} with one case, ${mean(2).toFixed(1)} with two: ${ratio.toFixed(2)} × (aim ≤ ${mostOften})`,
  );
  say(`${rows.length} requests in the stand-in's ledger`);
  return (
    pairs.size === made &&
    counts.size === expected &&
    doubles === 0 &&
    ids.size === told.length &&
    ratio <= mostOften
  );
}
