import {
  type Answer,
  type Ask,
  approved,
  bearer,
  inMail,
  keyHeaders,
  loginCode,
  operator,
  received,
  send,
  setFaults,
  setReceipt,
  signIn,
  succeed,
  until,
  verifyByMail,
} from '@casewatch/driver';
import type { DataDir } from '../data-dir.ts';
import type { DevEnvFile, DevFile } from '../dev-files.ts';
import { ageSessions } from './age-sessions.ts';
import { newPeople } from './people.ts';

const PATIENCE_MS = 240_000;

type Headers = Record<string, string>;
type Body = Answer['body'];

type Options = { dev: DevFile; env: DevEnvFile; data: DataDir; signal: AbortSignal; operation: string };

/** What an operation's recipes work with: a running system, and invented people of their own. */
export type World = ReturnType<typeof createWorld>;

export function createWorld({ dev, env, data, signal, operation }: Options) {
  const waiting = { timeoutMs: PATIENCE_MS, signal };
  const partner = keyHeaders(dev.partner);
  const { nextPerson, unknownReceipt } = newPeople(operation);

  const call = (method: string, ask: Ask): Promise<Body> => succeed(dev, method, ask, { signal });

  /** A user of the partner whose keys `as` has, not verified yet. */
  async function newUser(more: Record<string, unknown> = {}, as: Headers = partner) {
    const person = { ...nextPerson(), ...more };
    const made = await call('POST', { as, path: '/v1/client/users', body: person });
    return { ...person, id: (made.user as { id: number }).id };
  }

  async function verifiedUser(more: Record<string, unknown> = {}, as: Headers = partner) {
    const user = await newUser(more, as);
    await verifyByMail(dev, user.email, waiting);
    return user;
  }

  /** A verified user, signed in. */
  async function person(more: Record<string, unknown> = {}) {
    const user = await verifiedUser(more);
    const { access_token, refresh_token } = await signIn(dev, user.email, waiting);
    return { ...user, as: bearer(access_token), refreshToken: refresh_token };
  }

  return {
    dev,
    env,
    partner,
    other: keyHeaders(dev.other_partner),
    until: <T>(what: string, look: () => Promise<T>) => until(look, { ...waiting, what }),
    call,
    inMail: (email: string, pattern: RegExp) => inMail(dev, email, pattern, waiting),
    nextPerson,
    newUser,
    verifiedUser,
    loginCode: (email: string) => loginCode(dev, email, waiting),
    person,
    /** A receipt number that the government knows, just received. */
    async knownReceipt(): Promise<string> {
      const receipt = unknownReceipt();
      await setReceipt(dev, receipt, received);
      return receipt;
    },
    unknownReceipt,
    /** The same, whatever it answers. */
    attempt: (method: string, ask: Ask): Promise<Answer> => send(dev, method, ask),
    look: (ask: Ask): Promise<Body> => call('GET', ask),
    /** The government approves what it had received. */
    changeStatus: (receipt: string) => setReceipt(dev, receipt, approved),
    /** A receipt number about which the government answers 503 from now on, until `calm`. */
    async unanswered(): Promise<string> {
      const receipt = unknownReceipt();
      await setFaults(dev, { mode: 'status', status: 503, receipts: [receipt] });
      return receipt;
    },
    calm: () => setFaults(dev, { mode: 'none' }),
    /** Signed in an hour ago: not recently enough to prove who they are. */
    async personLongSignedIn() {
      const one = await person();
      await ageSessions(env.identity.MONGODB_URL, one.id);
      return one;
    },
    /** Replaces the partner's secret by one that is not its own. */
    wrongSecret: { 'x-api-secret': dev.other_partner.api_secret },
    /** The operator's command. */
    admin: (args: string[]) => operator(data.root, ...args),
  };
}

export const verificationLink = /\/v1\/users\/verify-email\?token=([^\s>)]+)/;
export const undoLink = /\/v1\/users\/undo-email-change\?token=([^\s>)]+)/;
export const unsubscribeLink = /\/v1\/unsubscribe\?token=([^\s>)]+)/;
