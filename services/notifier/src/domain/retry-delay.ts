import type { Channel, SendRequest } from '@casewatch/contracts';

/** What is sent on a schedule of its own. */
export type Stream = Channel | SendRequest['kind'];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const accountMail = [10 * second, minute, 5 * minute, 30 * minute];

/** Delay after the n-th failed attempt, ms, before jitter and scale (notifier.md, Sending). */
const delays: Record<Stream, readonly number[]> = {
  email: [30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 3 * hour, 8 * hour],
  whatsapp: [30 * second, 2 * minute, 10 * minute, hour, 4 * hour],
  login_code: [5 * second, 20 * second, 60 * second],
  verify_email: accountMail,
  address_changed: accountMail,
  address_taken: accountMail,
  confirm_new_address: accountMail,
  address_change_asked: accountMail,
};

const jitter = 0.2;

/** How many submissions are started at most. */
export function maxAttempts(stream: Stream): number {
  return delays[stream].length + 1;
}

type Draw = {
  /** Stretches every delay; 1 is as designed. */
  scale: number;
  /** From 0 up to, not including, 1. */
  random: number;
};

/** Delay before the attempt after `attempts`, ms, ±20 %; null when there were as many as there may be. */
export function retryDelayMs(stream: Stream, attempts: number, draw: Draw): number | null {
  const delay = delays[stream][Math.max(attempts, 1) - 1];
  return delay === undefined ? null : spread(delay, draw);
}

/** Any delay with the same jitter and scale. */
export function spread(delayMs: number, { scale, random }: Draw): number {
  return Math.round(delayMs * scale * (1 - jitter + 2 * jitter * random));
}
