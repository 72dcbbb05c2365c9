import { Webhook } from 'standardwebhooks';
import { pause, reasonOf } from './follow.mjs';

/** @typedef {import('./follow.mjs').Event} Event */

const timeoutMs = 15_000;
const retryMs = 2_000;

/**
 * Sends an event as a webhook delivery. Waits for a server that is not running; any answer, also an error, is the end.
 * @param {Event} event
 * @param {{ forwardTo: URL, secret: string, say(line: string): void, signal: AbortSignal }} to
 * @returns {Promise<boolean>} false if the run ended first
 */
export async function forward(event, { forwardTo, secret, say, signal }) {
  const body = JSON.stringify(event);
  for (let isSaid = false; !signal.aborted; isSaid = true) {
    const started = performance.now();
    try {
      const status = await post(event, body, { forwardTo, secret, signal });
      say(
        `${event.timestamp}  ${event.type}  ${event.id}  -> ${status}  ${Math.round(performance.now() - started)} ms`,
      );
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!isSaid)
        say(
          `${event.type}  ${event.id}  -> ${forwardTo} does not answer (${reasonOf(error)}); waiting for it`,
        );
      await pause(retryMs, signal);
    }
  }
  return false;
}

/**
 * @param {Event} event
 * @param {string} body
 * @param {{ forwardTo: URL, secret: string, signal: AbortSignal }} to
 */
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
