import { randomInt } from 'node:crypto';
import { waitFor } from '@casewatch/testing';
import type { DevFile, Partner } from './system.ts';

export type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

/** Calls as a partner's engineer makes them: plain HTTP with two headers. */
export function partnerClient(dev: DevFile, keys: Partner = dev.partner) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(dev.gateway_url + path, {
      method,
      headers: {
        'x-api-key': keys.api_key,
        'x-api-secret': keys.api_secret,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : {}, headers: response.headers };
  };
}

export type PartnerClient = ReturnType<typeof partnerClient>;

/** What one StatusUpdate looks like in GET /v1/client/cases/{id}. */
export type Update = Record<string, unknown> & { id: number; status_code: string };
export type CaseRead = { case: Record<string, unknown>; status_updates: Update[]; update_count: number };

export async function readCase(call: PartnerClient, id: unknown): Promise<CaseRead> {
  const { status, body } = await call('GET', `/v1/client/cases/${id}`);
  if (status !== 200) throw new Error(`GET case answered ${status}`);
  return body as CaseRead;
}

/** JSON of a stand-in. */
export async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Tells a stand-in what to do from now on. */
export async function tell(url: string, body: unknown, method = 'PUT'): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}

/** What the government says of a receipt in these tests. */
export function served(text_en: string, text_es: string, more: Record<string, unknown> = {}) {
  return {
    form_type: 'I-130',
    submitted_date: '09-05-2023 14:28:41',
    modified_date: '09-05-2023 14:28:41',
    text_en,
    desc_en: `On September 5, 2023, we said: ${text_en}.`,
    text_es,
    desc_es: `El 5 de septiembre de 2023 dijimos: ${text_es}.`,
    history: [],
    ...more,
  };
}

export const received = served('Case Was Received', 'Caso Fue Recibido');
export const approved = served('Case Was Approved', 'Caso Fue Aprobado');

let receipts = 0;

/** A receipt number that nobody else uses; its last four digits, which mails name, are new too. */
export function newReceipt(): string {
  receipts += 1;
  return `EAC9${String(randomInt(0, 100_000)).padStart(5, '0')}${String(receipts).padStart(4, '0')}`;
}

export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
};

export function mailsTo(dev: DevFile, email: string): Promise<Mail[]> {
  return readJson<Mail[]>(`${dev.mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`);
}

/** A verified user of the partner, as a newcomer makes one: created, then the link in the mail followed. */
export async function verifiedUser(dev: DevFile, call: PartnerClient, fields: Record<string, unknown> = {}) {
  const email = `person.${randomInt(1, 1e9)}@example.com`;
  const created = await call('POST', '/v1/client/users', { email, name: 'Test Person', ...fields });
  if (created.status !== 201)
    throw new Error(`create user answered ${created.status} ${JSON.stringify(created.body)}`);
  const mails = await waitFor(
    async () => {
      const found = await mailsTo(dev, email);
      return found.length > 0 && found;
    },
    { what: 'the verification mail' },
  );
  const link = /https?:\/\/\S+\/v1\/users\/verify-email\?token=\S+/.exec(mails[0]?.text ?? '')?.[0];
  if (!link) throw new Error('the mail has no link');
  const verified = await fetch(link, { headers: { accept: 'application/json' } });
  if (verified.status !== 200) throw new Error(`the link answered ${verified.status}`);
  return { id: (created.body.user as { id: number }).id, email };
}
