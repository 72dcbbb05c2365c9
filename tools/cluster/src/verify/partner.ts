import { randomInt } from 'node:crypto';
import type { DevFile } from './reach.ts';
import { until } from './wait.ts';

export type Answer<T> = { status: number; body: T };
export type Api = ReturnType<typeof partnerApi>;

const callMs = 20_000;

/** Calls as the demo's partner. */
export function partnerApi({ gateway_url, partner }: DevFile) {
  return async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const response = await fetch(`${gateway_url}/v1${path}`, {
      method,
      headers: {
        'x-api-key': partner.api_key,
        'x-api-secret': partner.api_secret,
        'content-type': 'application/json',
      },
      signal: AbortSignal.timeout(callMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T };
  };
}

/** JSON of a stand-in, or of telling it something. @throws Error with its status */
export async function standIn<T>(url: string, method = 'GET', body?: unknown): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(callMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
}

/** A person with an address that nobody else has, who followed the link in the mail. */
export async function verifiedUser(dev: DevFile, api: Api): Promise<{ id: number; email: string }> {
  const email = `cluster.${randomInt(1, 1e12)}@example.com`;
  const created = await until(
    async () => {
      const answer = await api<{ user?: { id: number } }>('POST', '/client/users', {
        email,
        name: 'Test Person',
      });
      return answer.status === 201 && answer.body.user;
    },
    { what: 'the user', timeoutMs: 60_000 },
  );
  const mails = `${dev.mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`;
  const link = await until(
    async () => {
      const [mail] = await standIn<{ text: string }[]>(mails);
      return /https?:\/\/\S+\/v1\/users\/verify-email\?token=\S+/.exec(mail?.text ?? '')?.[0];
    },
    { what: 'the verification mail', timeoutMs: 60_000 },
  );
  await until(async () => (await fetch(link, { headers: { accept: 'application/json' } })).status === 200, {
    what: 'the verification',
    timeoutMs: 60_000,
  });
  return { id: created.id, email };
}
