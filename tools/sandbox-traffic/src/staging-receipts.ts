/** The only receipts that the USCIS sandbox answers with 200. */
export const stagingReceipts: readonly string[] = [
  ...numbers('EAC99991034', '00 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 19 20 21 24 25 26 28 29 31 32'),
  ...numbers('LIN99991064', '98 99'),
  ...numbers('LIN99991065', '01 04 05 06 07'),
  ...numbers('SRC99991027', '77 78 79 80 81 82 83 84 85 86 87'),
  ...numbers('SRC99991326', '94 95'),
  ...numbers('SRC99991327', '06 07 10 19'),
];

const unknownReceipt = 'EAC9999103401';
const malformedReceipt = 'XXX9999103400';

/** The receipt of request `n` of a day. USCIS must see errors too: of 20 requests, one gets 404 and one gets 422. */
export function trafficReceipt(n: number): string {
  if (n % 20 === 7) return unknownReceipt;
  if (n % 20 === 17) return malformedReceipt;
  return stagingReceipts[n % stagingReceipts.length] ?? unknownReceipt;
}

function numbers(start: string, ends: string): string[] {
  return ends.split(' ').map((end) => start + end);
}
