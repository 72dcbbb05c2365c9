import type { CaseReference, StatusUpdated } from '@casewatch/contracts';
import { say } from '../kit/cli.ts';

export type LedgerRow = { time: string; receipt: string; status: number };

type Run = {
  updates: readonly StatusUpdated[];
  watching: ReadonlyMap<string, readonly CaseReference[]>;
  rows: readonly LedgerRow[];
  changes: number;
  kills: number;
};

/** Number of the change in a served text; 0 is the first state. */
export function versionOf({ status_update }: StatusUpdated): number {
  return Number(/change (\d+)\./.exec(status_update.status_description)?.[1] ?? 0);
}

/** Requests for a receipt of two cases, as a factor of those for a receipt of one case; chance stays below this. */
const highestRatio = 1.15;

/** Prints the figures. @returns whether each change arrived once at each case, and two cases share their requests */
export function judge({ updates, watching, rows, changes, kills }: Run): boolean {
  const ofChanges = updates.filter((update) => versionOf(update) > 0);
  const observed = new Map(ofChanges.map((update) => [versionOf(update), update.case.receipt_number]));
  const expected = [...observed.values()].reduce(
    (sum, receipt) => sum + (watching.get(receipt)?.length ?? 0),
    0,
  );
  const distinct = new Set(ofChanges.map((update) => `${update.case.id} ${versionOf(update)}`)).size;
  const ids = new Set(updates.map(({ status_update }) => status_update.id)).size;
  const faults = {
    'changes missing': changes - observed.size,
    'updates missing': expected - distinct,
    'updates twice': ofChanges.length - distinct,
    'ids used twice': updates.length - ids,
  };

  const requests = Map.groupBy(rows, (row) => row.receipt);
  const meanOf = (caseCount: number) => {
    const counts = [...watching].flatMap(([receipt, cases]) =>
      cases.length === caseCount ? [requests.get(receipt)?.length ?? 0] : [],
    );
    return counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
  };
  const ratio = meanOf(2) / meanOf(1);
  say(`${changes} changes with ${kills} kills; ${ofChanges.length} updates, ${rows.length} requests`);
  for (const [name, count] of Object.entries(faults)) say(`${name}: ${count} (aim: 0)`);
  say(
    `requests per receipt: ${meanOf(1).toFixed(1)} with one case, ${meanOf(2).toFixed(1)} with two: ${ratio.toFixed(2)} × (aim ≤ ${highestRatio})`,
  );
  return Object.values(faults).every((count) => count === 0) && ratio <= highestRatio;
}
