import type { CaseStatusBody } from './parse-case-status.ts';

/** The outcome of one check. `message`: the sentence of USCIS; `retryAfterMs`: its header Retry-After. */
export type Outcome =
  | { outcome: 'seen'; raw: CaseStatusBody }
  | { outcome: 'not_found'; message: string | null }
  | { outcome: 'rejected'; message: string | null }
  | {
      outcome: 'rate_limited';
      kind: 'spike' | 'quota';
      message?: string | null;
      retryAfterMs?: number | null | undefined;
    }
  | { outcome: 'closed'; message?: string | null; retryAfterMs?: number | null | undefined }
  | { outcome: 'unauthorised'; message?: string | null }
  | { outcome: 'unreadable' }
  /** `isOutage`: one such answer is enough to open the breaker. */
  | { outcome: 'failed'; reason: string; isOutage?: true };

/** `wasSeen`: USCIS showed a status of the receipt before. */
export type AskedReceipt = { receiptNumber: string; wasSeen: boolean };

export type CheckResult = { outcome: Outcome; sent: number; checkedAt: Date };

export function isAboutReceipt({ outcome }: Outcome): boolean {
  return outcome === 'seen' || outcome === 'not_found' || outcome === 'rejected';
}

/** The last sentence of USCIS by result, for operators (upstream.md, "Everything else"). */
export type Refusals = Partial<Record<Outcome['outcome'], { message: string; at: Date }>>;

export function withRefusal(refusals: Refusals, outcome: Outcome, at: Date): Refusals {
  const message = 'message' in outcome ? outcome.message : null;
  return !message ? refusals : { ...refusals, [outcome.outcome]: { message, at } };
}
