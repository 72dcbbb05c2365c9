/** The only receipts that the government's sandbox answers (upstream.md, Staging receipts). */
export const stagingReceipts: readonly string[] = [
  ...numbers('EAC99991034', '00 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 19 20 21 24 25 26 28 29 31 32'),
  ...numbers('LIN99991064', '98 99'),
  ...numbers('LIN99991065', '01 04 05 06 07'),
  ...numbers('SRC99991027', '77 78 79 80 81 82 83 84 85 86 87'),
  ...numbers('SRC99991326', '94 95'),
  ...numbers('SRC99991327', '06 07 10 19'),
];

/** Well formed and unknown there (404), and of no known form (422). */
const unknown = 'EAC9999103401';
const malformed = 'XXX9999103400';

/** Of twenty requests one is answered 404 and one 422: production access wants to see that errors are handled. */
const cycle = 20;

/** The receipt of the n-th request of the traffic that production access asks for. */
export function trafficReceipt(n: number): string {
  if (n % cycle === 7) return unknown;
  if (n % cycle === 17) return malformed;
  return stagingReceipts[n % stagingReceipts.length] ?? unknown;
}

function numbers(start: string, ends: string): string[] {
  return ends.split(' ').map((end) => start + end);
}
