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

/** `sent`: place of the request in the order of sending. */
type Sent = { sent: number; checkedAt: Date };

export type CheckResult = Outcome & Sent;
export type Answer = ReceiptOutcome & Sent;
export type SeenAnswer = Extract<Answer, { outcome: 'seen' }>;

/** `wasSeen`: USCIS showed a status of the receipt before. */
export type AskedReceipt = { receiptNumber: string; wasSeen: boolean };

export function isAboutReceipt<T extends Outcome>(result: T): result is T & ReceiptOutcome {
  return ['seen', 'not_found', 'rejected'].includes(result.outcome);
}

/** The last sentence of USCIS by result, for operators (upstream.md, "Everything else"). */
export type Refusals = Partial<Record<Outcome['outcome'], { message: string; at: Date }>>;
