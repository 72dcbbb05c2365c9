import type { EventData, NotifyStatus } from '@casewatch/contracts';

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

/** Values of `…_last_error`: `code: short text` (notifier.md). */
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
