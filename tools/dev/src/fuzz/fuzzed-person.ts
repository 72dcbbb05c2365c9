import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../dev-files.ts';
import { Problem } from '../problem.ts';
import { expectStatus, partnerApi } from '../seed/partner-api.ts';
import { seedCase } from '../seed/seed-case.ts';
import { seedUser } from '../seed/seed-user.ts';

const PATIENCE_MS = 15_000;
const POLL_MS = 100;
/** A receipt that the government's stand-in knows. */
const RECEIPT = 'EAC9999103403';

export interface FuzzedPerson {
  id: number;
  /** Both ways to name their case. */
  cases: (number | string)[];
  token: string;
}

type Work = { say: (line: string) => void; signal: AbortSignal };

/** Makes a person with one case, and signs them in, as the person would. */
export async function fuzzedPerson(dev: DevFile, { say, signal }: Work): Promise<FuzzedPerson> {
  const api = partnerApi(dev.gateway_url, dev.partner);
  const email = `fuzz.${randomUUID()}@example.com`;
  const person = { email, name: 'Fuzz Example', phone: '+12025550143', preferred_language: 'en' } as const;
  const id = await seedUser(api, person, { addresses: dev, say, signal });
  if (id === undefined) throw new Problem('The user to work with could not be made.');
  await seedCase(api, { userId: id, receipt: RECEIPT, signal });
  const listed = await api<{ cases: { id: number; user_case_id: string }[] }>(
    'GET',
    `/client/cases?user_id=${id}`,
  );
  const cases = expectStatus('list the cases to work with', listed, 200).cases;
  const token = await signIn(dev, email, signal);
  return {
    id,
    cases: cases.flatMap((one) => [one.id, one.user_case_id]),
    token,
  };
}

/** What reading themselves answers instead of 200; undefined where it is 200. */
export async function refusalOf(dev: DevFile, { id, token }: FuzzedPerson): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${dev.gateway_url}/v1/users/${id}`, { headers });
  if (response.ok) return undefined;
  const { code } = (await response.json()) as { code: string };
  return `${response.status} ${code}`;
}

async function signIn(dev: DevFile, email: string, signal: AbortSignal): Promise<string> {
  const { request_id } = await post<{ request_id: string }>(`${dev.gateway_url}/v1/auth/login-code`, {
    email,
  });
  const code = await codeFor(`${dev.mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`, signal);
  const body = { email, code, request_id };
  return (await post<{ access_token: string }>(`${dev.gateway_url}/v1/auth/token`, body)).access_token;
}

async function codeFor(mails: string, signal: AbortSignal): Promise<string> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(POLL_MS)) {
    signal.throwIfAborted();
    const found = (await (await fetch(mails)).json()) as { text: string | null }[];
    // Six digits in a row: the only ones in the mails that a new person has got by now.
    const code = found.map(({ text }) => /\b\d{6}\b/.exec(text ?? '')?.[0]).find(Boolean);
    if (code) return code;
  }
  throw new Problem('The mail with the code to sign in did not come: see logs/notifier.log');
}

async function post<T>(url: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Problem(`Signing in: ${url} answered ${response.status}`);
  return (await response.json()) as T;
}
