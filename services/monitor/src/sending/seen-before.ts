import type { AskedReceipt, Outcome } from '../domain/outcome.ts';

/** Receipts that were seen before, and how many of them may answer 404 (monitor.md, "What counts as a change"). */
const receiptsJudged = 50;
const maxNotFound = 10;

/** USCIS does not reject receipts that it has shown, and does not lose many of them at the same time: such answers are failures. */
export function createSeenBefore(): (outcome: Outcome, asked: AskedReceipt) => Outcome {
  let recent: { receiptNumber: string; isNotFound: boolean }[] = [];

  return (outcome, { receiptNumber, wasSeen }) => {
    if (!wasSeen) return outcome;
    if (outcome.outcome === 'rejected') return { outcome: 'failed', reason: '422 for a receipt seen before' };
    if (outcome.outcome !== 'seen' && outcome.outcome !== 'not_found') return outcome;
    const isNotFound = outcome.outcome === 'not_found';
    const others = recent.filter((one) => one.receiptNumber !== receiptNumber);
    recent = [...others, { receiptNumber, isNotFound }].slice(-receiptsJudged);
    const count = recent.filter((one) => one.isNotFound).length;
    if (!isNotFound || count <= maxNotFound) return outcome;
    return { outcome: 'failed', reason: '404 for many receipts seen before', isOutage: true };
  };
}
