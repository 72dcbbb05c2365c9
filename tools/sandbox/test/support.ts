import { setTimeout as wait } from 'node:timers/promises';
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

/** Polls until the probe gives something, for at most five seconds. */
export async function until<T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + 5000;
  while (performance.now() < deadline) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    await wait(10);
  }
  throw new Error(`Waited five seconds in vain for ${what}.`);
}
