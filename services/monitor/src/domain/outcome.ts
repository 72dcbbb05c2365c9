import type { Hashes } from './case-content.ts';
import type { ParsedStatus } from './parse-case-status.ts';

/** The word of USCIS about a receipt. `message`: its sentence. */
type ReceiptOutcome =
  | { outcome: 'seen'; seen: ParsedStatus; hashes: Hashes }
  | { outcome: 'not_found'; message: string | null }
  | { outcome: 'rejected'; message: string | null };

/** The sentence of USCIS, and its header Retry-After. */
type Refusal = { message?: string | null; retryAfterMs?: number | null | undefined };

/** The outcome of one check. `isOutage`: one such answer is enough to open the breaker. */
export type Outcome =
  | ReceiptOutcome
  | { outcome: 'unreadable' }
  | ({ outcome: 'rate_limited'; kind: 'spike' | 'quota' } & Refusal)
  | ({ outcome: 'closed' | 'unauthorised' } & Refusal)
  | ({ outcome: 'failed'; reason: string; isOutage?: true } & Refusal);

/** `wasSeen`: USCIS showed a status of the receipt before. */
export type AskedReceipt = { receiptNumber: string; wasSeen: boolean };

/** `sent`: place of the request in the order of sending. */
type Sent = { sent: number; checkedAt: Date };

export type CheckResult = Sent & { outcome: Outcome };

export type Answer = Sent & ReceiptOutcome;

export function isAboutReceipt(outcome: Outcome): outcome is ReceiptOutcome {
  return ['seen', 'not_found', 'rejected'].includes(outcome.outcome);
}

/** The answer about the receipt; null if the outcome says nothing about it. */
export function answerOf({ outcome, sent, checkedAt }: CheckResult): Answer | null {
  return isAboutReceipt(outcome) ? { ...outcome, sent, checkedAt } : null;
}

/** The last sentence of USCIS by result, for operators (upstream.md, "Everything else"). */
export type Refusals = Partial<Record<Outcome['outcome'], { message: string; at: Date }>>;
