/** The bench's receipts are numbered: its witness keeps their due times in an array. */
export const prefix = 'WAC';
export const firstNumber = 5_000_000_000;

export function receiptAt(index: number): string {
  return `${prefix}${firstNumber + index}`;
}
