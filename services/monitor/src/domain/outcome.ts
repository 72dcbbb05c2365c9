import type { CaseStatusBody } from './case-status-body.ts';

/** What came of asking for one receipt; `message` is the government's own sentence where it gave one. */
export type Outcome =
  | { outcome: 'seen'; raw: CaseStatusBody }
  | { outcome: 'not_found'; message: string | null }
  | { outcome: 'rejected'; message: string | null }
  | { outcome: 'rate_limited'; kind: 'spike' | 'quota' }
  | { outcome: 'closed' }
  /** The second 401 in a row: our keys are not valid any more. */
  | { outcome: 'unauthorised' }
  /** A 200 that cannot be understood even after salvage: nobody's fault, never counted against the case. */
  | { outcome: 'unreadable' }
  | { outcome: 'failed'; reason: string };

/** One answer of the government, when it came, and its request's place in the order of sending. */
export type CheckResult = { outcome: Outcome; sent: number; checkedAt: Date };
