import type { CaseStatusBody } from './case-status-body.ts';

/** The outcome of one check. `message`: the sentence of USCIS; `retryAfterMs`: its header Retry-After. */
export type Outcome =
  | { outcome: 'seen'; raw: CaseStatusBody }
  | { outcome: 'not_found'; message: string | null }
  | { outcome: 'rejected'; message: string | null }
  | { outcome: 'rate_limited'; kind: 'spike' | 'quota'; message?: string | null; retryAfterMs?: number }
  | { outcome: 'closed'; message?: string | null; retryAfterMs?: number }
  | { outcome: 'unauthorised'; message?: string | null }
  | { outcome: 'unreadable' }
  /** `isOutage`: one such answer is enough to open the breaker. */
  | { outcome: 'failed'; reason: string; isOutage?: true };

/** `wasSeen`: USCIS showed a status of the receipt before. */
export type AskedReceipt = { receiptNumber: string; wasSeen: boolean };

/** `sent`: place of the request in the order of sending. */
export type CheckResult = { outcome: Outcome; sent: number; checkedAt: Date };
