/** The load of a run: changes at the government's stand-in, and people and partners who use everything at once. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  bearer,
  keyHeaders,
  mailsTo,
  readJson,
  setReceipt,
  signIn,
  tell,
  titled,
  UnexpectedAnswer,
  until,
  verifyByMail,
} from '@casewatch/driver';
import { seededRandom } from '../../testing/src/seeded-random.ts';
import {
  count,
  type Ledgers,
  type TrackedCase,
  type TrackedImport,
  type TrackedUser,
  titleOf,
} from './ledgers.ts';
import type { System } from './system.ts';

/**
 * Per second at rate 1. A life is a user with three cases: with the lasting cases these are more than five creations a second. It
 * is also a check, a sign-in, a pause, a deletion, an unsubscribe and an erasure: a few of these end with a fault.
 */
export const ratesAtOne = { changes: 20, lives: 1.25, lastingCases: 1, replays: 1.25, imports: 0.05 };
/** One in so many people has no partner. */
const direct = 3;

const endpoints = ['steady', 'odd'] as const;
const lastingReceipts = 120;
const casesPerUser = 40;
/** With more, the oldest person with lasting cases is erased. */
const mostLastingCases = 200;
const patienceMs = 100_000;
const honestMs = 2_500;
const liveCheckMs = 10_000;
/** Of the upload of an import. */
const importMs = 30_000;
const importRows = 10;

export type Endpoint = { id: number; partner: number; hook: string; kind: (typeof endpoints)[number] };

export type Load = {
  endpoints: Endpoint[];
  /** Gives a receipt its next title. @returns its number */
  change(receipt: string): Promise<number>;
  /** A receipt with a case of a verified user, by which the recovery from a fault is seen. */
  probe: { receipt: string; email: string; hook: string };
  /** More changes a second for a while. */
  burst(perSecond: number, forMs: number): Promise<number>;
  /** Asks as a partner, and counts what is not 2xx. */
  ask: Ask;
  /** Begins nothing more. */
  end(): void;
  /** Ends, and waits for what has begun. */
  stop(): Promise<void>;
};

type Request = {
  as?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  limitMs?: number;
  /** Codes of refusals that are right. */
  rightly?: readonly string[];
};
/** The paths by which a person's cases are reached: by the partner's keys, or by the person's own token. */
type Access = {
  as(): Promise<Record<string, string>>;
  users: string;
  user: string;
  cases: string;
  readCase(id: number): string;
};
type Answer = { status: number; body: Record<string, unknown>; code: string };
export type Ask = (what: string, method: string, path: string, request?: Request) => Promise<Answer>;

type Options = { system: System; ledgers: Ledgers; seed: number; rate: number };

/** Nobody could sign in in time: the code was used by a request without an answer, or everything was away. */
class NoSignInError extends Error {
  override readonly name = 'NoSignInError';
}

/** What a client repeats: no answer, or one that says that the next may be another. */
export function isPassing(err: unknown): boolean {
  return !(err instanceof UnexpectedAnswer) || err.status >= 500 || err.status === 429;
}

export async function startLoad({ system, ledgers, seed, rate }: Options): Promise<Load> {
  const at = system.addresses;
  const random = seededRandom(seed);
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();
  const changing: string[] = [];
  let receipts = 0;
  /** Numbers below 1,000 mean faults to the stand-in. */
  let phones = 0;
  let steps = 0;
  let turn = 0;

  const keysOf = (partner: number): Record<string, string> => {
    const keys = system.partners[partner];
    if (keys === undefined) throw new Error(`there is no partner ${partner}`);
    return keyHeaders(keys);
  };
  // Its own digits for each seed and run; the last four, which mails name, are not repeated within a person.
  const newReceipt = (): string => `EAC${String(1_000_000_000 + receipts++ * 7_919).slice(0, 10)}`;

  /** A partner's number, or null: nobody's. */
  const nextPartner = (): number | null => {
    const number = turn++;
    return number % direct === 0 ? null : number % system.partners.length;
  };

  async function change(receipt: string): Promise<number> {
    const step = ++steps;
    ledgers.receiptOf.set(step, receipt);
    const { text_en, ...state } = titled(titleOf(step));
    await setReceipt(at, receipt, { ...state, text_en, text_es: text_en, desc_es: state.desc_en });
    return step;
  }

  const ask: Ask = async (
    what,
    method,
    path,
    { as, body, headers, limitMs = honestMs, rightly = [] } = {},
  ) => {
    const startedAt = Date.now();
    const began = performance.now();
    const fail = (status: number, code: string, hasRetryAfter = false): Answer => {
      const ms = performance.now() - began;
      ledgers.failedCalls.push({ what, startedAt, ms, status, code, hasRetryAfter, limitMs });
      return { status, body: {}, code };
    };
    try {
      const response = await fetch(at.gateway_url + path, {
        method,
        headers: {
          accept: 'application/json',
          ...as,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(Math.max(30_000, limitMs + 10_000)),
      });
      const text = await response.text();
      const { status } = response;
      const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
      const code = String(parsed.code ?? '');
      if (status >= 300 && !rightly.includes(code))
        return fail(status, code, response.headers.has('retry-after'));
      count(ledgers, what, performance.now() - began);
      return { status, body: parsed, code };
    } catch (err) {
      return fail(0, err instanceof Error ? `${err.name}: ${String(err.cause ?? err.message)}` : String(err));
    }
  };

  /** Repeats with the same key until a 2xx comes, as a client does. @returns null if none came in time, or the load ended */
  async function insist(...[what, method, path, request]: Parameters<Ask>): Promise<Answer | null> {
    const headers = method === 'POST' ? { 'idempotency-key': randomUUID(), ...request?.headers } : {};
    for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; ) {
      const answer = await ask(what, method, path, { ...request, headers });
      if (answer.status >= 200 && answer.status < 300) return answer;
      if (request?.rightly?.includes(answer.code)) return answer;
      const isTemporary = answer.status === 0 || answer.status >= 500 || answer.status === 429;
      if (!isTemporary && answer.code !== 'idempotency_in_progress') return null;
      await delay(500 + random(500));
    }
    return null;
  }

  /** What a 2xx answered can be read back at once by the same client (I6). */
  async function readBack(
    what: string,
    path: string,
    as: Record<string, string>,
    expected: (answer: Answer) => boolean,
  ) {
    const answer = await ask(`read ${what}`, 'GET', path, {
      as,
      rightly: ['case_not_found', 'user_not_found', 'token_revoked'],
    });
    if (answer.status === 0 || answer.status === 503 || expected(answer)) return;
    const text = `${what} was answered 2xx and then read as ${answer.status} ${answer.code}: ${path}`;
    ledgers.violations.push({ promise: 'I6', text, story: [JSON.stringify(answer.body).slice(0, 400)] });
  }

  // Not every 50 ms: the mail catcher has one process. A request that is refused for good is not repeated.
  const waiting = { timeoutMs: patienceMs, intervalMs: 300, retryIf: isPassing, signal: stopping.signal };

  /** A token is used for five of its fifteen minutes. */
  const tokens = new Map<TrackedUser, { value: string; until: number }>();
  async function signInAs(user: Pick<TrackedUser, 'email'>) {
    const began = performance.now();
    // A code that was used by a request without an answer is no longer good: the person asks for another.
    const session = await until(() => signIn<{ id: number }>(at, user.email, waiting), {
      timeoutMs: patienceMs,
      intervalMs: 1_000,
      retryIf: () => true,
      signal: stopping.signal,
    }).catch((err: unknown) => {
      throw new NoSignInError(user.email, { cause: err });
    });
    count(ledgers, 'sign in', performance.now() - began);
    return session;
  }
  async function tokenOf(user: TrackedUser): Promise<string> {
    const known = tokens.get(user);
    if (known && known.until > Date.now()) return known.value;
    const { access_token: value } = await signInAs(user);
    tokens.set(user, { value, until: Date.now() + 300_000 });
    return value;
  }

  function accessOf(user: TrackedUser): Access {
    const { id, partner } = user;
    const own = `/v1/users/${id}`;
    if (partner === null)
      return {
        as: async () => bearer(await tokenOf(user)),
        users: '/v1/users',
        user: own,
        cases: `${own}/cases`,
        readCase: (caseId) => `${own}/cases/${caseId}`,
      };
    return {
      as: async () => keysOf(partner),
      users: '/v1/client/users',
      user: `/v1/client/users/${id}`,
      cases: `/v1/client/users/${id}/cases`,
      readCase: (caseId) => `/v1/client/cases/${caseId}`,
    };
  }

  /** A person with a verified address. @returns null if there was none in time, or the load ended */
  async function newUser(partner: number | null, phone: string | null = null): Promise<TrackedUser | null> {
    const email = `chaos.${seed}.${randomUUID()}@example.com`;
    const body = { email, name: 'Chaos Person', ...(phone && { phone, notify_by_whatsapp: true }) };
    const made = { partner, email, phone, isVerified: false };
    if (partner === null) {
      // The answer is the same whether there was such a user: it has no number.
      if (!(await insist('sign up', 'POST', '/v1/users', { body }))) return null;
      try {
        await verifyByMail(at, email, waiting);
        const { access_token: value, user } = await signInAs({ email });
        const signedUp: TrackedUser = { ...made, id: user.id, isVerified: true };
        tokens.set(signedUp, { value, until: Date.now() + 300_000 });
        ledgers.users.push(signedUp);
        return signedUp;
      } catch {
        return null; // The ledger of calls has what was refused.
      }
    }
    const created = await insist('create user', 'POST', '/v1/client/users', { as: keysOf(partner), body });
    if (created === null) return null;
    const user: TrackedUser = { ...made, id: (created.body.user as { id: number }).id };
    ledgers.users.push(user);
    await readBack('user', accessOf(user).user, keysOf(partner), ({ status }) => status === 200);
    user.isVerified = await verifyByMail(at, email, waiting).then(
      () => true,
      () => false,
    );
    return user;
  }

  async function newCase(
    user: TrackedUser,
    receipt: string,
    isDeferred: boolean,
  ): Promise<TrackedCase | null> {
    const access = accessOf(user);
    const as = await access.as();
    const body = {
      receipt_number: receipt,
      uscis_access_acknowledged: true,
      first_check: isDeferred ? 'deferred' : 'now',
    };
    const created = await insist('create case', 'POST', access.cases, { as, body, limitMs: liveCheckMs });
    if (created === null) return null;
    const { id } = created.body.case as { id: number };
    const tracked: TrackedCase = { id, user, receipt, createdAt: Date.now() };
    ledgers.cases.push(tracked);
    await readBack('case', access.readCase(id), as, ({ status }) => status === 200);
    return tracked;
  }

  async function erase(user: TrackedUser): Promise<void> {
    const access = accessOf(user);
    // A person may only delete the own account right after signing in.
    if (user.partner === null) tokens.delete(user);
    const as = await access.as();
    user.erasing = Date.now();
    // A repeated request of a person who is erased has a token of nobody.
    const rightly = ['user_not_found', ...(user.partner === null ? ['token_revoked'] : [])];
    if (!(await insist('erase user', 'DELETE', access.user, { as, rightly }))) return;
    user.erasedAt = Date.now();
    await readBack(
      'erasure',
      access.user,
      as,
      ({ status, code }) => status === 404 || rightly.includes(code),
    );
  }

  async function newChangingReceipt(): Promise<string> {
    const receipt = newReceipt();
    await change(receipt);
    return receipt;
  }

  const lasting: TrackedUser[] = [];
  const casesOf = new Map<TrackedUser, number>();
  const lastingReceiptList: string[] = [];
  /** Pairs of user and shared receipt for which a case was asked: two of them ask for one that both have. */
  const asked = new Set<string>();
  async function newLastingCase(): Promise<void> {
    const oldest = lasting[0];
    if (oldest && [...casesOf.values()].reduce((sum, many) => sum + many, 0) >= mostLastingCases) {
      lasting.shift();
      casesOf.delete(oldest);
      await erase(oldest);
    }
    let user = lasting.find((one) => (casesOf.get(one) ?? 0) < casesPerUser && random(3) > 0);
    if (user === undefined) {
      const phone = random(2) === 0 ? `+1202555${String(1_000 + phones++)}` : null;
      const made = await newUser(nextPartner(), phone);
      if (made === null || !made.isVerified) return;
      user = made;
      lasting.push(made);
    }
    casesOf.set(user, (casesOf.get(user) ?? 0) + 1);
    const shared = lastingReceiptList[random(Math.max(1, lastingReceiptList.length))];
    const isShared =
      shared !== undefined && (random(3) === 0 || lastingReceiptList.length >= lastingReceipts);
    const pair = `${user.id} ${shared}`;
    const receipt = isShared && !asked.has(pair) ? shared : await newChangingReceipt();
    asked.add(`${user.id} ${receipt}`);
    const made = await newCase(user, receipt, random(3) === 0);
    if (made !== null && !lastingReceiptList.includes(receipt)) {
      lastingReceiptList.push(receipt);
      changing.push(receipt);
    }
  }

  /** Creates, signs in, checks, pauses, deletes, unsubscribes, and is erased. */
  async function live(): Promise<void> {
    const user = await newUser(nextPartner());
    if (user === null) return;
    const access = accessOf(user);
    const own = [await newChangingReceipt(), await newChangingReceipt(), await newChangingReceipt()];
    const made: TrackedCase[] = [];
    for (const receipt of own) {
      const one = await newCase(user, receipt, random(2) === 0);
      if (one) made.push(one);
    }
    changing.push(...own);
    const [first, second] = made;
    const as = await access.as();
    const checked = {
      as,
      body: { receipt_number: own[0] },
      limitMs: liveCheckMs,
      rightly: ['status_not_available'],
    };
    await ask('check', 'POST', '/v1/check', checked);
    if (first) {
      first.pausing = Date.now();
      const path = `/v1/users/${user.id}/cases/${first.id}`;
      const paused = await insist('pause case', 'PUT', path, { as, body: { active: false } });
      if (paused) {
        first.pausedAt = Date.now();
        const isPaused = ({ body }: Answer) => (body.case as { active?: boolean })?.active === false;
        await readBack('pause', access.readCase(first.id), as, isPaused);
      }
    }
    if (user.isVerified) {
      const session = await signInAs(user).catch(() => null);
      if (session && second) {
        second.deleting = Date.now();
        const path = `/v1/users/${user.id}/cases/${second.id}`;
        const request = { as: bearer(session.access_token), rightly: ['case_not_found'] };
        if (await insist('delete case', 'DELETE', path, request)) {
          second.deletedAt = Date.now();
          await readBack('deletion', access.readCase(second.id), as, ({ status }) => status === 404);
        }
      }
      await unsubscribe(user, own[2]);
    }
    await delay(5_000 + random(10_000), undefined, { signal: stopping.signal }).catch(() => undefined);
    for (const receipt of own) changing.splice(changing.indexOf(receipt), 1);
    await erase(user);
  }

  /** By the link in a mail about the receipt, whose status changes for it. */
  async function unsubscribe(user: TrackedUser, receipt: string | undefined): Promise<void> {
    if (receipt !== undefined) await change(receipt);
    for (
      const giveUpAt = Date.now() + 30_000;
      Date.now() < giveUpAt && !stopping.signal.aborted;
      await delay(500)
    ) {
      const mails = await mailsTo(at, user.email);
      const link = mails.flatMap(
        ({ headers }) => /<(http[^>]+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? [],
      )[0];
      if (link === undefined) continue;
      user.unsubscribedAt = Date.now();
      await insist('unsubscribe', 'POST', new URL(link).pathname + new URL(link).search);
      return;
    }
  }

  const made: Endpoint[] = [];
  for (const [partner] of system.partners.entries())
    for (const kind of endpoints) {
      const hook = `p${partner}-${kind}`;
      const body = { url: `${at.receiver_url}/hooks/${hook}`, events: ['case.status_updated'] };
      const answer = await insist('create webhook', 'POST', '/v1/webhooks', { as: keysOf(partner), body });
      if (answer === null) throw new Error(`no webhook could be created for ${hook}`);
      const { id, secret } = answer.body.webhook as { id: number; secret: string };
      await tell(`${at.receiver_url}/sandbox/hooks/${hook}`, { secret });
      made.push({ id, partner, hook, kind });
    }
  const probeUser = await newUser(0);
  if (!probeUser?.isVerified) throw new Error('the first user could not be created and verified');
  const probeReceipt = await newChangingReceipt();
  if (!(await newCase(probeUser, probeReceipt, false)))
    throw new Error('the first case could not be created');

  /** Begins `work` so often a second, however long it takes; at most `most` at once. */
  function repeat(perSecond: number, most: number, work: () => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>();
    return (async () => {
      for (let next = performance.now(); !stopping.signal.aborted; next += 1_000 / perSecond) {
        await delay(Math.max(0, next - performance.now()));
        // A rate that is not reached is not caught up: what was reached is printed.
        next = Math.max(next, performance.now() - 1_000);
        if (running.size >= most) continue;
        const run: Promise<void> = work()
          .catch((err: unknown) => {
            if (stopping.signal.aborted) return;
            if (err instanceof NoSignInError) {
              ledgers.givenUp++;
              return;
            }
            console.error('the load failed:', err);
            process.exitCode = 2;
          })
          .finally(() => running.delete(run));
        running.add(run);
      }
      await Promise.all(running);
    })();
  }

  async function changeNext(): Promise<void> {
    const receipt = changing[random(Math.max(1, changing.length))];
    if (receipt === undefined) return;
    const began = performance.now();
    await change(receipt);
    count(ledgers, 'change', performance.now() - began);
  }

  /** A file of a firm: three cases for each person, and a last row that acknowledges nothing. */
  async function importCases(): Promise<void> {
    const partner = random(system.partners.length);
    const people = Array.from(
      { length: Math.ceil(importRows / 3) },
      () => `moved.${randomUUID()}@example.com`,
    );
    const rows: TrackedImport['rows'][number][] = [];
    for (let i = 0; i < importRows; i++) {
      const receipt = await newChangingReceipt();
      rows.push({ receipt, email: people[Math.floor(i / 3)] ?? '', isGood: i < importRows - 1 });
    }
    const body = {
      rows: rows.map(({ receipt: receipt_number, email, isGood }) => {
        return { receipt_number, email, name: 'Moved Person', uscis_access_acknowledged: isGood };
      }),
    };
    const request = { as: keysOf(partner), body, limitMs: importMs };
    const sent = await insist('import', 'POST', '/v1/client/imports', request);
    if (sent) ledgers.imports.push({ id: (sent.body.import as { id: number }).id, partner, rows });
  }

  let replayed = 0;
  async function replay(): Promise<void> {
    const endpoint = made[replayed++ % made.length];
    if (endpoint === undefined) return;
    const body = { since: new Date(Date.now() - 20_000).toISOString(), status: 'all' };
    const request = { as: keysOf(endpoint.partner), body, rightly: ['replay_in_progress'] };
    await ask('replay', 'POST', `/v1/webhooks/${endpoint.id}/replay`, request);
  }

  async function measureNoise(): Promise<void> {
    const [at0, began] = [Date.now(), performance.now()];
    await readJson(`${at.receiver_url}/livez`).catch(() => undefined);
    ledgers.noise.push({ at: at0, ms: performance.now() - began });
  }

  const loops = [
    repeat(ratesAtOne.changes * rate, 50, changeNext),
    repeat(ratesAtOne.lives * rate, 120, live),
    repeat(ratesAtOne.lastingCases * rate, 20, newLastingCase),
    repeat(ratesAtOne.replays * rate, 4, replay),
    repeat(ratesAtOne.imports * rate, 4, importCases),
    repeat(1, 2, measureNoise),
  ];
  for (const loop of loops) working.add(loop);

  return {
    endpoints: made,
    change,
    ask,
    probe: { receipt: probeReceipt, email: probeUser.email, hook: 'p0-steady' },
    async burst(perSecond, forMs) {
      let changes = 0;
      const began = performance.now();
      for (let next = began; performance.now() - began < forMs; next += 1_000 / perSecond) {
        await delay(Math.max(0, next - performance.now()));
        await changeNext();
        changes++;
      }
      return changes / ((performance.now() - began) / 1_000);
    },
    end: () => stopping.abort(),
    async stop() {
      stopping.abort();
      await Promise.all(working);
      ledgers.loadEndedAt = Date.now();
    },
  };
}
