/** The middle value; for an even count, the mean of the two middle values. @throws Error if there are no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  if (low === undefined || high === undefined) throw new Error('no values');
  return (low + high) / 2;
}

/** Median, 99th percentile and maximum; 0 if there are no values. */
export function percentiles(values: ArrayLike<number>): { p50: number; p99: number; max: number } {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function ratioOf(values: readonly number[], floor: readonly number[]): number {
  return median(values) / median(floor);
}

/** The order of one round. Each entry takes each place in turn, so that a machine that slows down affects all equally. */
export function rotated<T>(list: readonly T[], round: number): T[] {
  const first = round % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
