import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Sandbox } from '../src/index.ts';

/** An answer with its body as text and, when it is JSON, parsed. */
export interface Reply {
  status: number;
  text: string;
  json: ReturnType<typeof JSON.parse>;
}

/** Sends a request; a body that is not text goes as JSON. */
export async function call(method: string, url: string, body?: unknown, headers = {}): Promise<Reply> {
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method, headers, ...(payload === undefined ? {} : { body: payload }) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, text, json: isJson ? parseOrNull(text) : null };
}

/** Asks the government's stand-in for a token. */
export async function requestToken(
  sandbox: Pick<Sandbox, 'uscis_url' | 'uscis_client_id' | 'uscis_client_secret'>,
  form: Record<string, string> = {},
  headers = {},
): Promise<Reply> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: sandbox.uscis_client_id,
    client_secret: sandbox.uscis_client_secret,
    ...form,
  });
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return await call('POST', `${sandbox.uscis_url}/oauth/accesstoken`, body.toString(), {
    ...type,
    ...headers,
  });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (err) {
    if (err instanceof SyntaxError) return null;
    throw err;
  }
}

/**
 * Sends a request that is never answered and gives up, as a client with a deadline does, but only once `arrived` says that the
 * server has it: on a busy machine, that takes longer than any short deadline. Throws if it is answered.
 */
export async function giveUpOn(url: string, arrived: () => Promise<boolean>, options = {}): Promise<void> {
  const abort = new AbortController();
  const answer = fetch(url, { ...options, signal: abort.signal }).then((response) => response.text());
  const gaveUp = expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  await until('the request', arrived);
  abort.abort();
  await gaveUp;
}

/** Polls until the probe gives something, for at most a minute. */
export async function until<T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    await wait(10);
  }
  throw new Error(`Waited a minute in vain for ${what}.`);
}
