import type { Cell } from './flows.ts';

/** What happens to one receipt: it is in `cells[i]` until `changes[i]`, days from the start. */
export type History = { cells: number[]; changes: number[] };

type Options = { receipts: number; days: number; random: () => number };

/**
 * Receipts as they are in the public data: the mix of cells stays the same, because a changed receipt goes to a cell in
 * proportion to the changes out of that cell.
 */
export function historiesOf(cells: readonly Cell[], { receipts, days, random }: Options): History[] {
  const byShare = drawBy(cells.map(({ share }) => share));
  const byChanges = drawBy(cells.map(({ share, perDay }) => share * perDay));
  return Array.from({ length: receipts }, () => {
    const history: History = { cells: [byShare(random())], changes: [] };
    for (let day = 0; ; ) {
      const rate = cells[history.cells.at(-1) ?? 0]?.perDay ?? 0;
      day += rate === 0 ? Number.POSITIVE_INFINITY : -Math.log(1 - random()) / rate;
      if (day > days) return history;
      history.changes.push(day);
      history.cells.push(byChanges(random()));
    }
  });
}

/** Draws an index in proportion to its weight. */
function drawBy(weights: readonly number[]): (random: number) => number {
  let total = 0;
  const sums = Float64Array.from(weights, (weight) => {
    total += weight;
    return total;
  });
  return (random) => {
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > random * total) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
