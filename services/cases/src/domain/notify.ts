import type { EventData, NotifyStatus } from '@casewatch/contracts';

/** How one channel of a StatusUpdate stands. `revision` 0: the notifier has said nothing yet. */
export type ChannelState = {
  revision: number;
  status: NotifyStatus;
  attempts: number;
  last_error: string | null;
  sent_at: Date | null;
};

type SkipReason = NonNullable<EventData<'status.updated'>['skip_reason']>;

/** `code: short text`, as `…_last_error` has it (notifier.md). */
const skipTexts: Record<SkipReason, string> = {
  baseline: 'baseline: first state of a new case',
  no_content_change: 'no_content_change: what it says is the same as before',
  flap: 'flap: the status went back and forth within a day',
  other: 'other: the monitor says that people are not told',
};

/** A channel before the notifier's first word: it waits, or nobody is told for the monitor's reason. */
export function firstChannelState(skipReason: SkipReason | null): ChannelState {
  const untold = { revision: 0, attempts: 0, sent_at: null };
  if (skipReason === null) return { ...untold, status: 'pending', last_error: null };
  return { ...untold, status: 'skipped', last_error: skipTexts[skipReason] };
}

/** Whether the provider took the message at any time; a bounce afterwards does not undo it. */
export function wasSent(state: Pick<ChannelState, 'status' | 'sent_at'>): boolean {
  return state.status === 'sent' || state.status === 'delivered' || state.sent_at !== null;
}
