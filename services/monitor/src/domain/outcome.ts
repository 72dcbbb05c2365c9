import type { CaseStatusBody } from './case-status-body.ts';

/** The outcome of one check. `message`: the sentence of USCIS. */
export type Outcome =
  | { outcome: 'seen'; raw: CaseStatusBody }
  | { outcome: 'not_found'; message: string | null }
  | { outcome: 'rejected'; message: string | null }
  | { outcome: 'rate_limited'; kind: 'spike' | 'quota' }
  | { outcome: 'closed' }
  | { outcome: 'unauthorised' }
  | { outcome: 'unreadable' }
  | { outcome: 'failed'; reason: string };

/** `sent`: place of the request in the order of sending. */
export type CheckResult = { outcome: Outcome; sent: number; checkedAt: Date };
