/** The clock that all processes of a Linux machine share, ms. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
