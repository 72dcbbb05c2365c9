import { createHmac, hkdfSync } from 'node:crypto';

const prefixLength = 3;
const digits = 10;

export function receiptHasher(secret: string): (receiptNumber: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'casewatch/receipt-number', 32));
  return (receiptNumber) => createHmac('sha256', key).update(receiptNumber).digest('hex');
}

export function neighboursOf(receiptNumber: string, reach: number): string[] {
  const prefix = receiptNumber.slice(0, prefixLength);
  const number = Number(receiptNumber.slice(prefixLength));
  const steps = Array.from({ length: reach }, (_, i) => i + 1);
  return steps
    .flatMap((step) => [number - step, number + step])
    .filter((neighbour) => neighbour >= 0 && neighbour < 10 ** digits)
    .map((neighbour) => prefix + String(neighbour).padStart(digits, '0'));
}
