import type {
  CaseReference,
  ChangedPart,
  HistoryEntry,
  MonitoringState,
  SpanishSource,
  StatusFacts,
  UpdateKind,
} from '@casewatch/contracts';
import type { Bucket } from './buckets.ts';
import type { Content, Parts } from './case-content.ts';

export type SkipReason = 'baseline' | 'no_content_change' | 'flap' | 'held' | 'case_inactive' | null;

/** Without `skip_reason`, users are notified. */
export type Change = { kind: UpdateKind; skip_reason: SkipReason };

/** One former state of a receipt. `at`: when it was first seen. */
export type PastState = Content &
  Change & { observation: number; facts_hash: string; at: Date; parts: Parts };

/** A 422 answer about a receipt that was never seen. */
export type Rejections = { first_at: Date };

/** A change that an operator decides on. `told`: the content before it. */
export type Held = { at: Date; told: Content };

export type NotFound = { first_at: Date; last_at: Date; count: number; message: string | null };

const unseen = {
  /** 0 = never seen. */
  observation: 0,
  facts: null as StatusFacts | null,
  /** Null: never seen. */
  facts_hash: null as string | null,
  /** Oldest first; the last one is the present state. */
  past: [] as PastState[],
  /** When a state came back that was shown less than a day before; null after its confirmation. */
  returned_at: null as Date | null,
  /** Set while an operator has to decide whether users are notified. */
  held: null as Held | null,
  title_modified_date: null as string | null,
  /** Keys of all entries that the history ever had. */
  known_history: [] as string[],
  /** When USCIS last moved `modified_date` alone in the present state. */
  touched_at: null as Date | null,
};

/** The state that USCIS shows. `spanish_source` is missing until the first one. */
export type Shown = typeof unseen & { spanish_source?: SpanishSource };

export const unscheduled = {
  /** Null = not watched. */
  bucket: null as Bucket | null,
  /** The interval of the bucket begins here: the last check, or the last attempt. */
  checked_at: null as Date | null,
  /** As expected at that time. */
  next_check_at: null as Date | null,
  overdue_since: null as Date | null,
};

export type NextCheck = Omit<typeof unscheduled, 'overdue_since'>;

export type Receipt = ReturnType<typeof unknownReceipt>;

export function unknownReceipt(_id: string) {
  return {
    _id,
    /** Grows with each change of watchers, facts or state: two such writes in parallel conflict. Watches go on from it after the row was forgotten. */
    revision: 0,
    ...(unseen as Shown),
    ...unscheduled,
    spanish_hash: null as string | null,
    since: null as Date | null,
    state: 'watched' as Extract<MonitoringState, 'watched' | 'not_found' | 'rejected'>,
    state_since: null as Date | null,
    not_found: null as NotFound | null,
    rejections: null as Rejections | null,
    watchers: 0,
    /** The id of the only watching case, if known: most checks are announced to one case. */
    watched_by: null as number | null,
    new_since: null as Date | null,
    last_checked: null as Date | null,
    /** Place of the recorded request in the order of sending; a lower number never overwrites it. */
    sent: 0,
    failures: 0,
    /** Set while no case watches the receipt: the row is a cached answer. */
    expires_at: null as Date | null,
  };
}

/** A status update as the case keeps it. `at`: its timestamp. */
export type GivenUpdate = { id: number; observation: number; at: Date };

/** One of which nobody was notified, but may be later: a return, or a held change. */
export type UntoldUpdate = GivenUpdate & {
  kind: UpdateKind;
  changes: ChangedPart[];
  new_history: HistoryEntry[];
};

/** What a case knows. */
export type LastUpdate = {
  last_observation: number;
  last_facts_hash: string | null;
  last_status_code: string | null;
  /** The content that users were last notified of. */
  last_told: Content | null;
  /** Of the state that the case got last: `changes` says what differs from it. */
  last_parts: Parts | null;
  /** Keys of the entries that the case ever got; null: not known. */
  known_history: string[] | null;
  /** The newest one. */
  last_update: GivenUpdate | null;
  untold: UntoldUpdate | null;
};

/** What a change makes known to a case. Without `last_update` and `untold`, these stay. */
export type LaterUpdate = Omit<LastUpdate, 'last_update' | 'untold'> &
  Partial<Pick<LastUpdate, 'last_update' | 'untold'>>;

export type Watch = LastUpdate & {
  _id: number;
  receipt_number: string;
  case: CaseReference | null;
  version: number;
  active: boolean;
  /** Kind of the first state still to come: users are notified of 'status', not of 'baseline'. Null = not the first. */
  awaits: 'status' | 'baseline' | null;
  deleted_at: Date | null;
  /** Revisions of the receipt when the watch began and ended: the case gets the changes between the two. */
  begun_revision: number | null;
  ended_revision: number | null;
};

/** How long an answer about a receipt without watches is kept, ms: a new case may need it. */
const unwatchedMs = 24 * 60 * 60 * 1_000;

export function unwatched(receipt: Receipt, at: Date): Receipt {
  return { ...receipt, ...unscheduled, expires_at: new Date(at.getTime() + unwatchedMs) };
}
