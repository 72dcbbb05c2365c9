import { createHmac, hkdfSync } from 'node:crypto';

/** Three letters, then ten digits. */
const prefixLength = 3;
const digits = 10;

/** Hashes receipt numbers so that only who holds the key can tell which they are; hex. */
export function receiptHasher(secret: string): (receiptNumber: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'casewatch/receipt-number', 32));
  return (receiptNumber) => createHmac('sha256', key).update(receiptNumber).digest('hex');
}

/** The numbers that stand at most `reach` before or after a receipt's, without itself. */
export function neighboursOf(receiptNumber: string, reach: number): string[] {
  const prefix = receiptNumber.slice(0, prefixLength);
  const number = Number(receiptNumber.slice(prefixLength));
  const steps = Array.from({ length: reach }, (_, i) => i + 1);
  return steps
    .flatMap((step) => [number - step, number + step])
    .filter((near) => near >= 0 && near < 10 ** digits)
    .map((near) => prefix + String(near).padStart(digits, '0'));
}
