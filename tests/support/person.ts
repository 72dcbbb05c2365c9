import { waitFor } from '@casewatch/testing';
import { type Mail, mailsTo } from './partner-client.ts';
import type { DevFile } from './system.ts';

export type Tokens = { access_token: string; refresh_token: string };
type Reply = { status: number; body: Record<string, unknown> };

/** Calls as a person's browser application does: JSON, and a bearer token where there is one. */
export async function call(
  dev: DevFile,
  method: string,
  path: string,
  { body, token, headers = {} }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const response = await fetch(dev.gateway_url + path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** A mail to this address whose text has what is looked for; what the pattern's first group found. */
export async function inMailTo(dev: DevFile, to: string, pattern: RegExp, nth = 0): Promise<string> {
  const found = await waitFor(
    async () => {
      const mails: Mail[] = await mailsTo(dev, to);
      return mails.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[nth];
    },
    { timeoutMs: 30_000, what: `a mail to ${to} with ${pattern.source}` },
  );
  return found;
}

/** Six digits that stand alone. */
export const codePattern = /\b(\d{6})\b/;
