import { ControlError } from '../http/control-error.ts';

// Three letters and ten digits.
const RECEIPT = /^[A-Z]{3}\d{10}$/;

/** Always refused with 422, for tests. */
const REFUSED_PREFIX = 'XXX';

/** The canonical receipt number; null if the government answers 422. */
export function asReceipt(text: string): string | null {
  const receipt = text.toUpperCase();
  return RECEIPT.test(receipt) && !receipt.startsWith(REFUSED_PREFIX) ? receipt : null;
}

/** @throws ControlError 400 */
export function requireReceipt(text: string): string {
  const receipt = asReceipt(text);
  if (receipt !== null) return receipt;
  throw new ControlError(400, 'A receipt number is three letters (not XXX) and ten digits.');
}

/** Answers about online filings have no dates. */
export function isOnlineFiling(receipt: string): boolean {
  return receipt.startsWith('IOE');
}
