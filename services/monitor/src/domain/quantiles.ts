export type Quantiles = { p50: number; p95: number };

type Counted = { receipts: number };

export function sumOf(rows: readonly Counted[]): number {
  return rows.reduce((sum, { receipts }) => sum + receipts, 0);
}

/** Half, and 95 %, of the receipts have at most this value; null without receipts. */
export function quantilesOf(rows: readonly (Counted & { value: number })[]): Quantiles | null {
  const total = sumOf(rows);
  const sorted = rows.toSorted((a, b) => a.value - b.value);
  function quantile(share: number): number {
    let passed = 0;
    const isReached = ({ receipts }: Counted) => {
      passed += receipts;
      return passed >= share * total;
    };
    return sorted.find(isReached)?.value ?? 0;
  }
  return total === 0 ? null : { p50: quantile(0.5), p95: quantile(0.95) };
}
