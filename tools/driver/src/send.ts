import { randomUUID } from 'node:crypto';
import type { Addresses, PartnerKeys } from './dev-file.ts';
import { UnexpectedAnswer } from './errors.ts';
import { until, type Waiting } from './until.ts';

export type Headers = Record<string, string>;

export type Ask = {
  /** Headers that authenticate the caller. */
  as?: Headers;
  path: string;
  body?: unknown;
  form?: Record<string, string>;
  raw?: string;
  headers?: Headers;
};

/** An answer without a body has the body `{}`. */
export type Answer<T = Record<string, unknown>> = { status: number; body: T; headers: Response['headers'] };

type Gateway = Pick<Addresses, 'gateway_url'>;

const timeoutMs = 20_000;

export async function send<T = Record<string, unknown>>(
  { gateway_url }: Gateway,
  method: string,
  { as, path, body, form, raw, headers }: Ask,
): Promise<Answer<T>> {
  const content =
    body !== undefined ? JSON.stringify(body) : form !== undefined ? new URLSearchParams(form) : raw;
  const response = await fetch(gateway_url + path, {
    method,
    headers: {
      accept: 'application/json',
      ...as,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  const { status, headers: fields } = response;
  return { status, body: bodyOf(text, fields) as T, headers: fields };
}

/** A file is its text. */
function bodyOf(text: string, headers: Response['headers']): unknown {
  if (text === '') return {};
  return headers.get('content-type')?.startsWith('text/csv') ? text : JSON.parse(text);
}

/** Sends a request, and repeats it with the same Idempotency-Key for a minute after a 503. @throws UnexpectedAnswer */
export async function succeed<T = Record<string, unknown>>(
  gateway: Gateway,
  method: string,
  ask: Ask,
  waiting: Waiting = {},
): Promise<T> {
  const key = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
  const what = `${method} ${ask.path}`;
  const attempt = async (): Promise<Answer<T>> => {
    const answer = await send<T>(gateway, method, { ...ask, headers: { ...key, ...ask.headers } });
    if (answer.status < 300) return answer;
    throw new UnexpectedAnswer(what, answer.status, answer.body as object);
  };
  const retryIf = (err: unknown) => isTemporary(err) || (waiting.retryIf?.(err) ?? false);
  const patience = { timeoutMs: 60_000, intervalMs: 300, what, ...waiting, retryIf };
  return (await until(attempt, patience)).body;
}

function isTemporary(err: unknown): boolean {
  return err instanceof UnexpectedAnswer && (err.status === 503 || err.code === 'idempotency_in_progress');
}

export function keyHeaders({ api_key, api_secret }: Omit<PartnerKeys, 'id'>): Headers {
  return { 'x-api-key': api_key, 'x-api-secret': api_secret };
}

export function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}
