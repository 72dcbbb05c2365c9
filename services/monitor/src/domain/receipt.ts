import type {
  CaseReference,
  MonitoringState,
  PollClass,
  StatusFacts,
  UpdateKind,
} from '@casewatch/contracts';
import type { ScheduleClass } from './schedule-class.ts';

export type SkipReason = 'baseline' | 'no_content_change' | 'flap' | null;

/** One state that a receipt was in; `at` is when it was first seen. */
export type PastState = {
  observation: number;
  facts_hash: string;
  status_code: string;
  at: Date;
  kind: UpdateKind;
  skip_reason: SkipReason;
};

/** The run of 404 answers that a receipt is in. */
export type NotFound = { first_at: Date; last_at: Date; count: number; message: string | null };

/** A receipt as the monitor knows it: one per number, whoever watches it. */
export type Receipt = {
  /** The receipt number. */
  _id: string;
  /** +1 whenever its watchers, its facts or its state change: two such writes at once conflict. */
  revision: number;
  /** Counter of its changes; 0 = never seen. */
  observation: number;
  facts: StatusFacts | null;
  facts_hash: string | null;
  spanish_hash: string | null;
  /** When the facts as they are now were first seen. */
  since: Date | null;
  /** The last states, the present one included, oldest first. */
  past: PastState[];
  state: Extract<MonitoringState, 'watched' | 'not_found' | 'rejected'>;
  state_since: Date | null;
  not_found: NotFound | null;
  poll_class: PollClass;
  /** By which it is due, as of its last check; null = it is not watched. */
  schedule_class: ScheduleClass | null;
  /** Cases that watch it now. */
  watchers: number;
  /** The one case that watches it, where there is one alone and it is known: most checks are told to one case. */
  watched_by: number | null;
  /** When the newest of them was created. */
  new_since: Date | null;
  next_check_at: Date | null;
  last_checked: Date | null;
  /** Place of the last recorded answer's request in the order of sending; a lower one never overwrites it. */
  sent: number;
  /** Checks in a row that failed through no fault of the case. */
  failures: number;
  /** Since when it counts as not checked for too long; null = it does not. */
  overdue_since: Date | null;
  /** Only while nobody watches it: the row is a cached answer then. */
  expires_at: Date | null;
};

/** A case's interest in its receipt. */
export type Watch = {
  /** The case's id. */
  _id: number;
  receipt_number: string;
  case: CaseReference | null;
  /** Highest version of the case that was seen. */
  version: number;
  active: boolean;
  last_observation: number;
  last_facts_hash: string | null;
  last_status_code: string | null;
  /** What the first state that comes will be to this case: told ('status') or not ('baseline'); null = it has one. */
  awaits: 'status' | 'baseline' | null;
  /** Set when the case was deleted: what is left then is a tombstone. */
  deleted_at: Date | null;
};

/** What the schedule knows of a receipt that nobody watches. */
export const noTurn = { schedule_class: null, next_check_at: null, overdue_since: null } as const;

/** A receipt that nothing is known of yet. */
export function unknownReceipt(receiptNumber: string): Receipt {
  return {
    _id: receiptNumber,
    revision: 0,
    observation: 0,
    facts: null,
    facts_hash: null,
    spanish_hash: null,
    since: null,
    past: [],
    state: 'watched',
    state_since: null,
    not_found: null,
    poll_class: 'normal',
    schedule_class: null,
    watchers: 0,
    watched_by: null,
    new_since: null,
    next_check_at: null,
    last_checked: null,
    sent: 0,
    failures: 0,
    overdue_since: null,
    expires_at: null,
  };
}

/** How long an answer about a receipt that no case watches is kept, ms: a case made of it finds it there. */
const unwatchedMs = 24 * 60 * 60 * 1_000;

/** A receipt that no case watches from `at` on. */
export function unwatched(receipt: Receipt, at: Date): Receipt {
  return { ...receipt, ...noTurn, expires_at: new Date(at.getTime() + unwatchedMs) };
}
