import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../dev-files.ts';
import { Problem } from '../problem.ts';
import type { Ask } from './ask.ts';

export type Reply = { status: number; body: Record<string, unknown> };

const TIMEOUT_MS = 20_000;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 300;

/** Sends one request to the gateway. An answer without a body has `{}`. */
export async function send({ gateway_url }: DevFile, method: string, ask: Ask): Promise<Reply> {
  const { as = {}, path, body, form, raw, headers = {} } = ask;
  const response = await fetch(gateway_url + path, {
    method,
    headers: {
      accept: 'application/json',
      ...as,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(raw !== undefined && { body: raw }),
    ...(form !== undefined && { body: new URLSearchParams(form) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** The same where it must succeed; a busy machine's 503 is asked again. @throws Problem with the code that came instead */
export async function done(dev: DevFile, method: string, ask: Ask): Promise<Reply['body']> {
  // So that what is asked again is done once.
  const headers = method === 'POST' ? { 'idempotency-key': randomUUID(), ...ask.headers } : {};
  const deadline = Date.now() + PATIENCE_MS;
  let { status, body } = await send(dev, method, { ...ask, headers });
  while (mayComeLater(status, body) && Date.now() < deadline) {
    await delay(PAUSE_MS);
    ({ status, body } = await send(dev, method, { ...ask, headers }));
  }
  if (status < 300) return body;
  throw new Problem(`${method} ${ask.path} answered ${status} ${body.code}: ${body.message}`);
}

/** Not now, for want of time on a busy machine: nothing that a recipe is about. */
function mayComeLater(status: number, { code }: Reply['body']): boolean {
  return status === 503 || code === 'idempotency_in_progress';
}
