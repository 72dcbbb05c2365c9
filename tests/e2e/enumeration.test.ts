import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mannWhitneyP } from '../support/mann-whitney.ts';
import { partnerClient } from '../support/partner-client.ts';
import { call } from '../support/person.ts';
import { type DevFile, type System, startSystem } from '../support/system.ts';

/** Of each kind, interleaved (quality.md, Security). */
const requests = 500;
const addresses = 50;
const warmUp = 40;
/** By chance alone every hundredth comparison fails; a difference that is there shows in each of these. */
const rounds = 3;

let system: System;
let dev: DevFile;
const known: string[] = [];
const unknown = Array.from({ length: addresses }, (_, i) => `nobody.${i}@enumeration.example`);

beforeAll(async () => {
  // Scaled so that the limits of one e-mail address are still counted, and not reached.
  system = await startSystem({ RATE_LIMIT_SCALE: '300' });
  dev = system.dev();
  const create = partnerClient(dev);
  for (let i = 0; i < addresses; i++) {
    const email = `person.${i}@enumeration.example`;
    const body = { email, name: 'Test Person', send_verification: false };
    expect((await create('POST', '/v1/client/users', body)).status).toBe(201);
    known.push(email);
  }
}, 240_000);
afterAll(async () => {
  await system.stop();
}, 60_000);

type Asked = { path: string; bodyOf(email: string): unknown };
type Answer = { ms: number; text: string };

/** One request over the whole path; what differs each time is taken out of the answer. */
async function ask({ path, bodyOf }: Asked, email: string): Promise<Answer> {
  const started = performance.now();
  const { status, body } = await call(dev, 'POST', path, { body: bodyOf(email) });
  const ms = performance.now() - started;
  const { request_id: _id, instance: _instance, ...rest } = body;
  return { ms, text: JSON.stringify({ status, ...rest }) };
}

/** Known and unknown addresses in turn, one request at a time. */
async function measure(asked: Asked) {
  const answers: Record<'known' | 'unknown', Answer[]> = { known: [], unknown: [] };
  for (let i = -warmUp; i < requests; i++) {
    const nth = (i + warmUp) % addresses;
    for (const [kind, list] of [['known', known] as const, ['unknown', unknown] as const]) {
      const answer = await ask(asked, list[nth] ?? '');
      if (i >= 0) answers[kind].push(answer);
    }
    // Also after many tries, when both are told that there were too many.
    expect(answers.known.at(-1)?.text).toBe(answers.unknown.at(-1)?.text);
  }
  return answers;
}

const login: Asked = { path: '/v1/auth/login-code', bodyOf: (email) => ({ email }) };
const guess: Asked = { path: '/v1/auth/token', bodyOf: (email) => ({ email, code: '000000' }) };
const resend: Asked = { path: '/v1/users/resend-verification', bodyOf: (email) => ({ email }) };

describe('whether an address is known', () => {
  it.each<[string, Asked, (email: string) => Promise<unknown>]>([
    ['asking for a login code', login, async () => {}],
    ['guessing a login code', guess, (email) => ask(login, email)],
    ['asking for another verification mail', resend, async () => {}],
  ])(
    'cannot be told from %s: not by status and body, not by the time',
    async (_what, asked, prepare) => {
      for (const email of [...known, ...unknown]) await prepare(email);
      const seen: number[] = [];
      while (seen.length < rounds && Math.max(0, ...seen) <= 0.01) {
        const { known: ofKnown, unknown: ofUnknown } = await measure(asked);
        const times = (list: Answer[]) => list.map(({ ms }) => ms);
        seen.push(mannWhitneyP(times(ofKnown), times(ofUnknown)));
      }
      expect(Math.max(...seen)).toBeGreaterThan(0.01);
    },
    600_000,
  );
});
