import {
  type AlertStatus,
  type ChangedPart,
  type CheckReply,
  type EventData,
  estimatedRespondBy,
  isUrgent,
  type NotifyStatus,
  type RespondBy,
  type Reviewer,
  type SpanishSource,
  type StatusFacts,
  type UpdateKind,
} from '@casewatch/contracts';

export type Observed = Omit<StatusFacts, 'submitted_date' | 'modified_date'> & {
  kind: UpdateKind;
  observation: number;
  timestamp: Date;
  submitted_date: Date | null;
  modified_date: Date | null;
  title_modified_date: Date | null;
  /** Missing: unknown. */
  spanish_source?: SpanishSource;
  changes: ChangedPart[];
  touched_at: Date | null;
  /** `isUrgent` of the status, so that an index finds it. */
  urgent: boolean;
  /** Our estimate, or what the firm read in the notice while this was the latest status. Missing in old rows (`respondByOf`). */
  respond_by?: RespondBy | null;
};

type Observation = {
  kind: UpdateKind;
  observation: number;
  timestamp: string;
  title_modified_date: string | null;
  spanish_source?: SpanishSource | undefined;
  changes: ChangedPart[];
  touched_at: string | null;
};

export function toObserved(facts: StatusFacts, observed: Observation): Observed {
  const { kind, observation, timestamp, title_modified_date, spanish_source, changes, touched_at } = observed;
  const seenAt = new Date(timestamp);
  return {
    kind,
    observation,
    timestamp: seenAt,
    status_code: facts.status_code,
    status_description: facts.status_description,
    form_type: facts.form_type,
    status_code_es: facts.status_code_es,
    status_description_es: facts.status_description_es,
    status_code_pt: facts.status_code_pt,
    status_description_pt: facts.status_description_pt,
    status_slug: facts.status_slug,
    category: facts.category,
    submitted_date: toDate(facts.submitted_date),
    modified_date: toDate(facts.modified_date),
    title_modified_date: toDate(title_modified_date),
    history: facts.history,
    ...(spanish_source && { spanish_source }),
    changes,
    touched_at: toDate(touched_at),
    urgent: isUrgent(facts),
    respond_by: estimatedRespondBy({ ...facts, title_modified_date }, seenAt),
  };
}

/** The estimate of a row that was stored before there were dates is made of the row. */
export function respondByOf(row: Observed): RespondBy | null {
  return row.respond_by === undefined ? estimateOf(row) : row.respond_by;
}

/** What stands without a notice. */
export function estimateOf(row: Observed): RespondBy | null {
  return estimatedRespondBy(row, row.timestamp);
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

/** What a check alone brings is no change: its kind is `baseline`. */
export function baselineOf(reply: Extract<CheckReply, { outcome: 'seen' }>) {
  const { observation, checked_at: timestamp, title_modified_date, spanish_source, touched_at } = reply;
  return {
    kind: 'baseline',
    changes: [],
    observation,
    timestamp,
    title_modified_date,
    spanish_source,
    touched_at,
  } satisfies Observation;
}

/** What stands of a status update, or of a state of monitoring, in the list of changes. Copies, so that an index finds them. */
export type Change = {
  partner_id: number;
  /** Time of the database when it was stored: a poller misses nothing that comes late. */
  at: Date;
  urgent: boolean;
  already_open: boolean;
  previous_status_code: string | null;
  /** Of the case. Missing, as null: nobody. */
  assignee_id?: number | null;
  reviewed: boolean;
  reviewed_at: Date | null;
  reviewed_by: Reviewer | null;
};

/** A change that nobody has reviewed. */
export function newChange(change: Pick<Change, 'partner_id' | 'at' | 'urgent'> & Partial<Change>): Change {
  const unreviewed = { reviewed: false, reviewed_at: null, reviewed_by: null };
  return { already_open: false, previous_status_code: null, ...unreviewed, ...change };
}

/** How far the mail to a member of staff about the change is. */
export type StaffAlert = { revision: number; status: AlertStatus; sent_at: Date | null };

export type ChannelState = {
  /** 0: no report of the notifier yet. */
  revision: number;
  status: NotifyStatus;
  attempts: number;
  last_error: string | null;
  sent_at: Date | null;
};

type Event = EventData<'status.updated'>;
type SkipReason = NonNullable<Event['skip_reason'] | Event['skip_detail']>;

/** Values of `…_last_error`: `code: short text`. */
const skipTexts: Record<SkipReason, string> = {
  baseline: 'baseline: first state of a new case',
  no_content_change: 'no_content_change: the text did not change',
  flap: 'flap: the status went back and forth within a day',
  held: 'held: many cases changed in the same way; an operator decides',
  case_inactive: 'case_inactive: the case is not active',
  other: 'other: notifications are suppressed for this update',
};

export function firstChannelState(skipReason: SkipReason | null): ChannelState {
  const unsent = { revision: 0, attempts: 0, sent_at: null };
  if (skipReason === null) return { ...unsent, status: 'pending', last_error: null };
  return { ...unsent, status: 'skipped', last_error: skipTexts[skipReason] };
}

/** Whether the provider ever accepted the message; a later bounce does not change the answer. */
export function wasSent(state: Pick<ChannelState, 'status' | 'sent_at'>): boolean {
  return state.status === 'sent' || state.status === 'delivered' || state.sent_at !== null;
}
