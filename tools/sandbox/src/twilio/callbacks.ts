import { setTimeout as wait } from 'node:timers/promises';
import twilio from 'twilio';
import { logError } from '../http/log-error.ts';
import { bareNumber, type Message, newMessageSid } from './message.ts';
import type { Step } from './plan.ts';

/** Between two statuses of a message, ms. */
const STEP_MS = 50;

/** Twilio waits so long for the answer to a callback, ms. */
const CALLBACK_TIMEOUT_MS = 15_000;

export interface CallbackSender {
  accountSid: string;
  authToken: string;
  stopped: AbortSignal;
}

/** How the callbacks of one message go out. */
type Courier = CallbackSender & { isWithheld: boolean; delayMs: number };

/** Moves a message along its steps and sends the callbacks in order; the caller does not wait. */
export function deliver(message: Message, steps: readonly Step[], courier: Courier): void {
  runSteps(message, steps, courier).catch((err: unknown) => {
    if (!courier.stopped.aborted) logError(err);
  });
}

async function runSteps(message: Message, steps: readonly Step[], courier: Courier): Promise<void> {
  await wait(courier.delayMs, undefined, { signal: courier.stopped });
  let sending: Promise<void> = Promise.resolve();
  for (const step of steps) {
    await wait(STEP_MS, undefined, { signal: courier.stopped });
    if (step.stray !== true) applyStep(message, step);
    if (!courier.isWithheld) sending = sending.then(() => sendCallback(message, step, courier));
  }
  await sending;
}

function applyStep(message: Message, { status, errorCode }: Step): void {
  const now = new Date().toISOString();
  message.status = status;
  message.error_code = errorCode ?? null;
  message.updated_at = now;
  if (status !== 'failed') message.sent_at ??= now;
}

/** Sends a signed callback, like Twilio a second time if there was no answer or a 5xx. */
async function sendCallback(message: Message, step: Step, courier: CallbackSender): Promise<void> {
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

/** `sid`: of a message that is delivered again. `opt_out_type`: what Advanced Opt-Out read, and answered. */
export interface Inbound {
  from: string;
  body: string;
  url: string;
  sid?: string | undefined;
  opt_out_type?: 'STOP' | 'START' | 'HELP' | undefined;
  button_payload?: string | undefined;
}

/** Sends a person's message to the address, signed. @returns the HTTP status, or null without an answer in time */
export async function sendInbound(
  { from, body, url, sid, opt_out_type, button_payload }: Inbound,
  courier: CallbackSender,
): Promise<number | null> {
  const params = {
    MessageSid: sid ?? newMessageSid(),
    SmsStatus: 'received',
    AccountSid: courier.accountSid,
    From: `whatsapp:${bareNumber(from)}`,
    Body: body,
    ...(opt_out_type !== undefined && { OptOutType: opt_out_type }),
    ...(button_payload !== undefined && { ButtonPayload: button_payload }),
  };
  return await post(url, params, courier);
}

/** @returns the HTTP status, or null without an answer in time */
async function post(
  url: string,
  params: Record<string, string>,
  courier: CallbackSender,
): Promise<number | null> {
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
    // The message's callbacks show a dead address as null.
    return null;
  }
}
