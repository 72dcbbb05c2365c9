import type { Channel, NotifyStatus } from '@casewatch/contracts';
import type { Outcome } from './outcome.ts';
import type { Failure } from './provider-answer.ts';
import { retryDelayMs, withJitter } from './retry-delay.ts';

type Attempt = {
  channel: Channel;
  attempts: number;
  /** Of these, attempts since a replay: they decide the delay. Default: all. */
  tries?: number;
  /** What the last failure was, before this attempt. */
  before?: Pick<AfterAttempt, 'last_error' | 'provider_text'>;
  now: Date;
  scale: number;
  random: number;
};

export type AfterAttempt = {
  status: NotifyStatus;
  attempts: number;
  last_error: string | null;
  provider_text: string | null;
  dueInMs: number | null;
  ambiguous: boolean;
  sent_at?: Date;
  provider_message_id?: string;
  provider_rank?: number;
};

/** Delay after a submission that does not count as an attempt, ms. */
const uncountedDelayMs = 30_000;

/** Longest wait for the callback of an ambiguous message, ms. */
const callbackWaitMs = 90_000;

export function afterAttempt(outcome: Outcome, attempt: Attempt): AfterAttempt {
  const { attempts, now } = attempt;
  switch (outcome.kind) {
    case 'accepted':
      return {
        ...finalState('sent', attempts, null),
        sent_at: now,
        provider_rank: 1,
        ...(outcome.provider_message_id !== null && { provider_message_id: outcome.provider_message_id }),
      };
    case 'permanent':
      return finalState('failed', attempts, outcome);
    case 'configuration':
      return retryState(attempt, outcome, uncountedDelayMs, attempts - 1);
    case 'held':
      return { ...finalState('pending', attempts - 1, null), ...attempt.before, dueInMs: 0 };
    case 'transient':
      if (!outcome.counts) return retryState(attempt, outcome, uncountedDelayMs, attempts - 1);
      return retry(attempt, outcome);
    case 'ambiguous':
      // WhatsApp has no id that prevents a duplicate, so Twilio's list is read before the next attempt.
      if (attempt.channel === 'whatsapp')
        return { ...retryState(attempt, outcome, callbackWaitMs, attempts), ambiguous: true };
      return { ...retry(attempt, outcome), ambiguous: true };
  }
}

function finalState(status: NotifyStatus, attempts: number, failure: Failure | null): AfterAttempt {
  return { status, attempts, ...errorOf(failure), dueInMs: null, ambiguous: false };
}

function retryState(attempt: Attempt, failure: Failure, delayMs: number, attempts: number): AfterAttempt {
  const dueInMs = withJitter(delayMs, attempt);
  return { status: 'pending', attempts, ...errorOf(failure), dueInMs, ambiguous: false };
}

function retry(attempt: Attempt, failure: Failure): AfterAttempt {
  const dueInMs = retryDelayMs(attempt.channel, attempt.tries ?? attempt.attempts, attempt);
  if (dueInMs === null) return finalState('failed', attempt.attempts, failure);
  return { ...finalState('pending', attempt.attempts, failure), dueInMs };
}

function errorOf(failure: Failure | null): Pick<AfterAttempt, 'last_error' | 'provider_text'> {
  return { last_error: failure?.error ?? null, provider_text: failure?.said ?? null };
}
