import { Webhook } from 'standardwebhooks';
import { pause, reasonOf } from './follow.mjs';

const timeoutMs = 15_000;
const retryMs = 2_000;

/**
 * Sends an event as a webhook. Waits for a server that is not running; any answer is the end. False if the run ended first.
 * @type {import('./declarations.d.ts').Forward}
 */
export async function forward(event, target, { say, signal }) {
  const body = JSON.stringify(event);
  for (let isSaid = false; !signal.aborted; isSaid = true) {
    const started = performance.now();
    try {
      const status = await post(event, body, { ...target, signal });
      const ms = Math.round(performance.now() - started);
      say(`${event.timestamp}  ${event.type}  ${event.id}  -> ${status}  ${ms} ms`);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const reason = `${target.forwardTo} does not answer (${reasonOf(error)})`;
      if (!isSaid) say(`${event.type}  ${event.id}  -> ${reason}; waiting for it`);
      await pause(retryMs, signal);
    }
  }
  return false;
}

/** @type {import('./declarations.d.ts').Post} */
async function post(event, body, { forwardTo, secret, signal }) {
  const at = new Date();
  const response = await fetch(forwardTo, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Casewatch-Listen/0.1',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(event.id, at, body),
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
