import { setTimeout as wait } from 'node:timers/promises';
import twilio from 'twilio';
import { complain } from '../http/complain.ts';
import type { Message } from './message.ts';
import type { Step } from './plan.ts';

/** Between two statuses of a message. */
const STEP_MS = 50;

/** How long Twilio waits for the answer to a callback. */
const CALLBACK_TIMEOUT_MS = 15_000;

/** Who signs, and what ends all of it. */
export interface Courier {
  accountSid: string;
  authToken: string;
  stopped: AbortSignal;
}

/** Moves a message along its steps, 50 ms apart, and tells its callback address, in order, without waiting for it. */
export function deliver(message: Message, steps: readonly Step[], courier: Courier): void {
  walk(message, steps, courier).catch((err: unknown) => {
    if (!courier.stopped.aborted) complain(err);
  });
}

async function walk(message: Message, steps: readonly Step[], courier: Courier): Promise<void> {
  let told: Promise<void> = Promise.resolve();
  for (const step of steps) {
    await wait(STEP_MS, undefined, { signal: courier.stopped });
    if (step.stray !== true) reach(message, step);
    told = told.then(() => tell(message, step, courier));
  }
  await told;
}

function reach(message: Message, { status, errorCode }: Step): void {
  const now = new Date().toISOString();
  message.status = status;
  message.error_code = errorCode ?? null;
  message.updated_at = now;
  if (status !== 'failed') message.sent_at ??= now;
}

/** Sends one signed callback; like Twilio once more when there was no answer or a 5xx. */
async function tell(message: Message, step: Step, courier: Courier): Promise<void> {
  const url = message.status_callback;
  if (url === null) return;
  const params = {
    MessageSid: message.sid,
    MessageStatus: step.status,
    To: message.to,
    From: message.from,
    AccountSid: courier.accountSid,
    ...(step.errorCode === undefined ? {} : { ErrorCode: String(step.errorCode) }),
  };
  for (const _attempt of [1, 2]) {
    if (courier.stopped.aborted) return;
    const sent_at = new Date().toISOString();
    const response_status = await post(url, params, courier);
    message.callbacks.push({ status: step.status, sent_at, response_status });
    if (response_status !== null && response_status < 500) return;
  }
}

/** @returns the HTTP status, or null when the address could not be reached or did not answer in time */
async function post(url: string, params: Record<string, string>, courier: Courier): Promise<number | null> {
  const signature = twilio.getExpectedTwilioSignature(courier.authToken, url, params);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(params),
      redirect: 'manual',
      headers: { 'X-Twilio-Signature': signature },
      signal: AbortSignal.any([courier.stopped, AbortSignal.timeout(CALLBACK_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    // A dead address is the receiver's affair: it is told in the message's callbacks as null.
    return null;
  }
}
