import type { Channel } from '@casewatch/contracts';
import type { QueuedMail } from './queued-mail.ts';

type Stream = Channel | QueuedMail['kind'];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const accountMail = [10 * second, minute, 5 * minute, 30 * minute];

const noticeMail = [30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 3 * hour, 8 * hour];

/** Delay after the n-th failed attempt, ms, before jitter and scale (notifier.md, Sending). */
const delays: Record<Stream, readonly number[]> = {
  email: noticeMail,
  whatsapp: [30 * second, 2 * minute, 10 * minute, hour, 4 * hour],
  login_code: [5 * second, 20 * second, 60 * second],
  verify_email: accountMail,
  address_changed: accountMail,
  address_taken: accountMail,
  confirm_new_address: accountMail,
  address_change_asked: accountMail,
  staff_invitation: accountMail,
  staff_signed_in: accountMail,
  settings_changed: accountMail,
  second_factor_changed: accountMail,
  confirm_reply_to: accountMail,
  welcome: accountMail,
  verify_reminder: accountMail,
  partner_deletion: noticeMail,
  endpoint_failing: noticeMail,
  member_alerts: noticeMail,
  member_digest: noticeMail,
  // It is not sent later than five minutes after the stop word.
  stop_confirmation: [10 * second, minute],
};

const jitter = 0.2;

export function maxAttempts(stream: Stream): number {
  return delays[stream].length + 1;
}

/** Attempts since an operator's replay, if there was one. */
export function triesOf(row: { attempts: number; attempts_before?: number }): number {
  return row.attempts - (row.attempts_before ?? 0);
}

type Draw = {
  scale: number;
  random: number;
};

/** Delay before the next attempt, ms; null after the last one. */
export function retryDelayMs(stream: Stream, attempts: number, draw: Draw): number | null {
  const delay = delays[stream][Math.max(attempts, 1) - 1];
  return delay === undefined ? null : withJitter(delay, draw);
}

export function withJitter(delayMs: number, { scale, random }: Draw): number {
  return Math.round(delayMs * scale * (1 - jitter + 2 * jitter * random));
}
