import type { AskedReceipt, Outcome } from '../domain/outcome.ts';

/** Receipts that were seen before, and how many of them may answer 404 (monitor.md, "What counts as a change"). */
const receiptsJudged = 50;
const mostNotFound = 10;

/** USCIS does not reject receipts that it has shown, and does not lose many of them at once: such answers are failures. */
export function createSeenBefore(): (outcome: Outcome, asked: AskedReceipt) => Outcome {
  const isNotFound = new Map<string, boolean>();

  function note(receiptNumber: string, value: boolean): void {
    // A map lists its keys in the order of insertion: the oldest comes first.
    isNotFound.delete(receiptNumber);
    isNotFound.set(receiptNumber, value);
    const [oldest] = isNotFound.keys();
    if (isNotFound.size > receiptsJudged && oldest !== undefined) isNotFound.delete(oldest);
  }

  return (outcome, { receiptNumber, wasSeen }) => {
    if (!wasSeen) return outcome;
    if (outcome.outcome === 'rejected') return { outcome: 'failed', reason: '422 for a receipt seen before' };
    if (outcome.outcome !== 'seen' && outcome.outcome !== 'not_found') return outcome;
    note(receiptNumber, outcome.outcome === 'not_found');
    const count = [...isNotFound.values()].filter((value) => value).length;
    if (outcome.outcome === 'seen' || count <= mostNotFound) return outcome;
    return { outcome: 'failed', reason: '404 for many receipts seen before', isOutage: true };
  };
}
