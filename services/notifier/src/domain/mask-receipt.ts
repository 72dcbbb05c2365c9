/** `…6789`: mails contain no more of a receipt number. */
export function maskedReceipt(receiptNumber: string): string {
  return `…${receiptNumber.slice(-4)}`;
}

// Three letters and ten digits, perhaps with spaces or dashes between the groups.
const anyReceipt = /\b[A-Z]{3}[\s-]?\d{2}[\s-]?\d{3}[\s-]?\d{5}\b/gi;

export function maskReceipts(text: string): string {
  return text.replace(anyReceipt, (receiptNumber) => maskedReceipt(receiptNumber));
}
