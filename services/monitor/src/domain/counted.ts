type Counted = { receipts: number };

export function sumOf(rows: readonly Counted[]): number {
  return rows.reduce((sum, { receipts }) => sum + receipts, 0);
}

/** The row in which `share` (0 to 1) of all receipts are reached. */
export function quantileOf<T extends Counted>(rows: readonly T[], share: number): T | undefined {
  const wanted = share * sumOf(rows);
  let passed = 0;
  return rows.find(({ receipts }) => {
    passed += receipts;
    return passed >= wanted;
  });
}
