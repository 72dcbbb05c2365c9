import type { FailedOutcome, SuppressedFor } from './outcome.ts';
import type { Failure } from './provider-answer.ts';
import { shortError } from './short-error.ts';

export type TwilioFailure = {
  status?: number | undefined;
  code?: number | string | undefined;
  message: string;
};

type Class =
  | 'permanent'
  | 'unreachable'
  | 'opted_out'
  | 'configuration'
  | 'template'
  | 'transient'
  | 'unprocessed';

/** How long an unreachable number gets nothing, days (notifier.md, Sending). */
const unreachableDays = 30;

/** Twilio's codes (twilio.com/docs/api/errors): class and a text without phone numbers. */
const errors: Readonly<Record<number, readonly [Class, string]>> = {
  20003: ['configuration', 'the credentials are not valid'],
  20404: ['configuration', 'the account was not found'],
  20429: ['unprocessed', 'too many concurrent requests'],
  21211: ['unreachable', 'the number is not valid'],
  21212: ['configuration', 'the sender is not valid'],
  21603: ['configuration', 'the sender is missing'],
  21604: ['permanent', 'the number is missing'],
  21608: ['configuration', 'a trial account cannot send to this number'],
  21609: ['configuration', 'the callback address is not valid'],
  21610: ['opted_out', 'the recipient has unsubscribed'],
  21619: ['configuration', 'the content is missing'],
  21656: ['configuration', 'the template variables are not valid'],
  63003: ['unreachable', 'the number is inactive or not valid'],
  63005: ['permanent', 'the content was not accepted'],
  63007: ['configuration', 'there is no channel for the sender'],
  63008: ['configuration', 'the channel is misconfigured'],
  63012: ['transient', 'WhatsApp had an internal error'],
  63013: ['permanent', 'the message violates a policy'],
  63016: ['permanent', 'the message was not sent as a template'],
  63018: ['transient', 'a sending limit was reached'],
  63020: ['configuration', 'the account is not eligible'],
  63021: ['permanent', 'the content is not valid for the channel'],
  63024: ['unreachable', 'the recipient is not on WhatsApp'],
  63027: ['template', 'the template does not exist'],
  63028: ['template', 'the template takes other parameters'],
  63029: ['template', 'the template is malformed'],
  63030: ['template', 'a template parameter is not supported'],
  63032: ['permanent', 'the recipient is in an experiment of the channel'],
  63049: ['permanent', 'the channel refused the template'],
};

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** By Twilio's code, else by the HTTP status, else by the socket's code. */
export function classifyTwilio(failure: TwilioFailure): FailedOutcome {
  const { status, code } = failure;
  if (typeof code === 'number' && errors[code])
    return outcomeOf(errors[code][0], { error: twilioError(code) });
  if (status === undefined) return outcomeWithoutAnswer(failure);
  const name = `twilio_${typeof code === 'number' ? code : status}`;
  const failed = { error: `${name}: not accepted`, said: shortError(name, failure.message) };
  if (status >= 500) return { kind: 'ambiguous', ...failed };
  if (status === 429) return outcomeOf('unprocessed', failed);
  if (status === 401 || status === 403) return { kind: 'configuration', ...failed };
  // An unknown code of a channel is retried: Twilio may add codes.
  if (typeof code === 'number' && code >= 63_000 && code < 64_000) return outcomeOf('transient', failed);
  return { kind: 'permanent', ...failed };
}

export function twilioError(code: number | null): string {
  const text = (code !== null && errors[code]?.[1]) || 'the message was not delivered';
  return `twilio_${code ?? 'undelivered'}: ${text}`;
}

function outcomeWithoutAnswer({ code }: TwilioFailure): FailedOutcome {
  const name = `twilio_${String(code ?? 'error').toLowerCase()}`;
  if (unreachableCodes.has(String(code)))
    return { kind: 'transient', error: `${name}: Twilio cannot be reached`, counts: true };
  return { kind: 'ambiguous', error: `${name}: Twilio did not answer` };
}

function outcomeOf(kind: Class, failed: Failure): FailedOutcome {
  switch (kind) {
    case 'transient':
      return { kind, ...failed, counts: true };
    case 'unprocessed':
      return { kind: 'transient', ...failed, counts: false };
    case 'template':
      return { kind: 'configuration', ...failed, isTemplate: true };
    case 'unreachable':
    case 'opted_out':
      return { kind: 'permanent', ...failed, suppresses: suppressionOf(kind) };
    default:
      return { kind, ...failed };
  }
}

function suppressionOf(kind: 'unreachable' | 'opted_out'): SuppressedFor {
  return kind === 'opted_out'
    ? { reason: 'opt_out', days: null }
    : { reason: 'hard_bounce', days: unreachableDays };
}

/** What a delivery report with this code says about the number. */
export function twilioSuppression(code: number | null): SuppressedFor | null {
  const kind = code === null ? undefined : errors[code]?.[0];
  return kind === 'unreachable' || kind === 'opted_out' ? suppressionOf(kind) : null;
}
