import type { Channel, NotifyStatus } from '@casewatch/contracts';
import type { Outcome } from './outcome.ts';
import { retryDelayMs, spread } from './retry-delay.ts';

type Attempt = {
  channel: Channel;
  /** Submissions started, this one included. */
  attempts: number;
  now: Date;
  scale: number;
  random: number;
};

/** The state that an attempt leaves behind. */
export type AfterAttempt = {
  status: NotifyStatus;
  attempts: number;
  last_error: string | null;
  dueInMs: number | null;
  ambiguous: boolean;
  sent_at?: Date;
  provider_message_id?: string;
  provider_rank?: number;
};

/** What was no attempt is tried again after this, ms. */
const uncountedDelayMs = 30_000;

/** How long the signed callback of a message that may have been accepted is waited for, ms. */
const callbackWaitMs = 90_000;

/** What follows from an outcome (notifier.md, Sending): pure, so that every row of it is a test. */
export function afterAttempt(outcome: Outcome, attempt: Attempt): AfterAttempt {
  const { attempts, now } = attempt;
  switch (outcome.kind) {
    case 'accepted':
      return {
        ...settled('sent', attempts, null),
        sent_at: now,
        provider_rank: 1,
        ...(outcome.provider_message_id !== null && { provider_message_id: outcome.provider_message_id }),
      };
    case 'permanent':
      return settled('failed', attempts, outcome.error);
    case 'configuration':
      return again(attempt, outcome.error, uncountedDelayMs, attempts - 1);
    case 'transient':
      if (!outcome.counts) return again(attempt, outcome.error, uncountedDelayMs, attempts - 1);
      return retry(attempt, outcome.error);
    case 'ambiguous':
      // WhatsApp has no id that would make a repetition harmless: what became of it is looked up first.
      if (attempt.channel === 'whatsapp')
        return { ...again(attempt, outcome.error, callbackWaitMs, attempts), ambiguous: true };
      return { ...retry(attempt, outcome.error), ambiguous: true };
  }
}

function settled(status: NotifyStatus, attempts: number, error: string | null): AfterAttempt {
  return { status, attempts, last_error: error, dueInMs: null, ambiguous: false };
}

function again(attempt: Attempt, error: string, delayMs: number, attempts: number): AfterAttempt {
  const dueInMs = spread(delayMs, attempt);
  return { status: 'pending', attempts, last_error: error, dueInMs, ambiguous: false };
}

function retry(attempt: Attempt, error: string): AfterAttempt {
  const dueInMs = retryDelayMs(attempt.channel, attempt.attempts, attempt);
  if (dueInMs === null) return settled('failed', attempt.attempts, error);
  return { ...settled('pending', attempt.attempts, error), dueInMs };
}
