/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  if (low === undefined || high === undefined) throw new Error('no values');
  return (low + high) / 2;
}

/** How many times `floor` the cost is: by their medians. */
export function ratioOf(values: readonly number[], floor: readonly number[]): number {
  return median(values) / median(floor);
}

/** The order of one round: each takes each place in turn, so that a machine that slows down slows all alike. */
export function rotated<T>(list: readonly T[], round: number): T[] {
  const first = round % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
