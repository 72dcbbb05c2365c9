/** Wait before the next try after `tries` failures (1, 2, …), ms: it doubles from `firstMs` up to `longestMs`. */
export function backoffMs(tries: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(tries - 1, 30), longestMs);
}
