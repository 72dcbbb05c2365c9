import { setTimeout as delay } from 'node:timers/promises';
import type { DevEnvFile, DevFile } from '../dev-files.ts';
import { Problem } from '../problem.ts';
import { ageSessions } from './age-sessions.ts';
import type { Ask } from './ask.ts';
import { done, type Reply, send } from './client.ts';
import { newPeople } from './people.ts';
import { runAdmin } from './run-admin.ts';

const PATIENCE_MS = 240_000;
const POLL_MS = 50;

type Headers = Record<string, string>;

type Surroundings = { dev: DevFile; env: DevEnvFile; signal: AbortSignal; operation: string };

/** What an operation's recipes work with: a running system, and invented people of their own. */
export type World = ReturnType<typeof createWorld>;

export function createWorld({ dev, env, signal, operation }: Surroundings) {
  const partner = keys(dev.partner);
  const other = keys(dev.other_partner);
  const { nextPerson, unknownReceipt } = newPeople(operation);

  /** Tries until something comes of it. @throws Problem after four minutes */
  async function until<T>(what: string, look: () => Promise<T | undefined | null | false>): Promise<T> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(POLL_MS)) {
      signal.throwIfAborted();
      const found = await look();
      if (found) return found;
    }
    throw new Problem(`${what} did not come.`);
  }

  const call = (method: string, ask: Ask): Promise<Reply['body']> => done(dev, method, ask);

  /** The first match in a mail to this address, from the newest mail back. */
  const inMail = (email: string, pattern: RegExp): Promise<string> =>
    until(`A mail to ${email}`, async () => {
      const response = await fetch(`${dev.mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`);
      const mails = (await response.json()) as { text: string; headers: Headers }[];
      const texts = mails.map(({ text, headers }) => `${text}\n${headers['list-unsubscribe'] ?? ''}`);
      return texts.map((text) => pattern.exec(text)?.[1]).findLast(Boolean);
    });

  /** A user of the partner whose keys `as` has, not verified yet. */
  async function newUser(more: Record<string, unknown> = {}, as: Headers = partner) {
    const person = { ...nextPerson(), ...more };
    const made = await call('POST', { as, path: '/v1/client/users', body: person });
    return { ...person, id: (made.user as { id: number }).id };
  }

  async function verifiedUser(more: Record<string, unknown> = {}, as: Headers = partner) {
    const user = await newUser(more, as);
    const token = await inMail(user.email, verificationLink);
    await call('GET', { path: `/v1/users/verify-email?token=${token}` });
    return user;
  }

  /** Asks for a code to sign in, and takes it from the mail. */
  async function loginCode(email: string): Promise<{ email: string; code: string; request_id: string }> {
    const asked = await call('POST', { path: '/v1/auth/login-code', body: { email } });
    return { email, code: await inMail(email, /\b(\d{6})\b/), request_id: String(asked.request_id) };
  }

  /** A verified user, signed in. */
  async function person(more: Record<string, unknown> = {}) {
    const user = await verifiedUser(more);
    const issued = await call('POST', { path: '/v1/auth/token', body: await loginCode(user.email) });
    const refreshToken = String(issued.refresh_token);
    return { ...user, as: { authorization: `Bearer ${issued.access_token}` }, refreshToken };
  }

  /** A receipt number that the government knows, just received. */
  async function knownReceipt(): Promise<string> {
    const receipt = unknownReceipt();
    await tell(`${dev.uscis_url}/sandbox/receipts/${receipt}`, received);
    return receipt;
  }

  return {
    dev,
    env,
    partner,
    other,
    until,
    call,
    inMail,
    nextPerson,
    newUser,
    verifiedUser,
    loginCode,
    person,
    knownReceipt,
    unknownReceipt,
    /** The same, whatever it answers. */
    attempt: (method: string, ask: Ask): Promise<Reply> => send(dev, method, ask),
    look: (ask: Ask): Promise<Reply['body']> => call('GET', ask),
    tell,
    /** The government approves what it had received. */
    changeStatus: (receipt: string) => tell(`${dev.uscis_url}/sandbox/receipts/${receipt}`, approved),
    /** A receipt number about which the government answers 503 from now on, until `calm`. */
    async unanswered(): Promise<string> {
      const receipt = unknownReceipt();
      await tell(`${dev.uscis_url}/sandbox/faults`, { mode: 'status', status: 503, receipts: [receipt] });
      return receipt;
    },
    calm: () => tell(`${dev.uscis_url}/sandbox/faults`, { mode: 'none' }),
    /** Signed in an hour ago: not recently enough to prove who they are. */
    async personLongSignedIn() {
      const one = await person();
      await ageSessions(env.identity.MONGODB_URL, one.id);
      return one;
    },
    /** Replaces the partner's secret by one that is not its own. */
    wrongSecret: { 'x-api-secret': dev.other_partner.api_secret },
    /** The operator's command. */
    admin: (args: string[]) => runAdmin(env.identity, args),
  };
}

export const verificationLink = /\/v1\/users\/verify-email\?token=([^\s>)]+)/;
export const undoLink = /\/v1\/users\/undo-email-change\?token=([^\s>)]+)/;
export const unsubscribeLink = /\/v1\/unsubscribe\?token=([^\s>)]+)/;

const received = {
  form_type: 'I-130',
  submitted_date: '09-05-2023 14:28:41',
  modified_date: '09-05-2023 14:28:41',
  text_en: 'Case Was Received',
  desc_en: 'On September 5, 2023, we received your Form I-130, Petition for Alien Relative.',
  text_es: 'Caso Fue Recibido',
  desc_es: 'El 5 de septiembre de 2023 recibimos su Formulario I-130, Petición de Familiar Extranjero.',
  history: [],
};

const approved = {
  ...received,
  modified_date: '02-12-2024 09:10:00',
  text_en: 'Case Was Approved',
  desc_en: 'On February 12, 2024, we approved your Form I-130, Petition for Alien Relative.',
  text_es: 'Caso Fue Aprobado',
  desc_es: 'El 12 de febrero de 2024 aprobamos su Formulario I-130, Petición de Familiar Extranjero.',
  history: [{ date: '2023-09-05', text_en: 'Case Was Received', text_es: 'Caso Fue Recibido' }],
};

/** Tells a stand-in what to do from now on. */
async function tell(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Problem(`${url} answered ${response.status}: ${await response.text()}`);
}

function keys({ api_key, api_secret }: DevFile['partner']): Headers {
  return { 'x-api-key': api_key, 'x-api-secret': api_secret };
}
