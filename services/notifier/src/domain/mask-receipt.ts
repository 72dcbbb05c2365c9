/** `…6789`: all of a receipt number that leaves this system in a mail. */
export function maskedReceipt(receiptNumber: string): string {
  return `…${receiptNumber.slice(-4)}`;
}

// Three letters and ten digits, as the government writes them; people also put spaces or dashes between the groups.
const anyReceipt = /\b[A-Z]{3}[\s-]?\d{2}[\s-]?\d{3}[\s-]?\d{5}\b/gi;

/** A text in which every receipt number is masked: the government quotes it in its own sentences. */
export function maskReceipts(text: string): string {
  return text.replace(anyReceipt, (found) => maskedReceipt(found));
}
