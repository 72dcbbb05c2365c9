import { ControlError } from '../http/control-error.ts';

/** Three letters and ten digits: the form the government takes. */
const RECEIPT = /^[A-Z]{3}\d{10}$/;

/** A prefix the stand-in always refuses with 422, so that the refusal can be seen. */
const REFUSED_PREFIX = 'XXX';

/** The canonical receipt number, or null when the government would answer 422. */
export function asReceipt(text: string): string | null {
  const receipt = text.toUpperCase();
  return RECEIPT.test(receipt) && !receipt.startsWith(REFUSED_PREFIX) ? receipt : null;
}

/** The same for control operations. @throws ControlError 400 */
export function requireReceipt(text: string): string {
  const receipt = asReceipt(text);
  if (receipt !== null) return receipt;
  throw new ControlError(400, 'A receipt number is three letters (not XXX) and ten digits.');
}

/** Online filings: their answers carry no dates. */
export function isOnlineFiling(receipt: string): boolean {
  return receipt.startsWith('IOE');
}
