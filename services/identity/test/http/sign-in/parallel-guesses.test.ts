import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, type TestPartner } from '../../support/people.ts';
import { requestCode, wrongCode } from '../../support/sign-in.ts';
import type { Reply, TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

/** Guesses at the same time: more than the database has connections (20). Then fewer, until the machine answers in time. */
const lanes = [25, 8, 3, 1, 1] as const;
const guessesOfLane = 10;

async function codeOf() {
  const user = await makeUser(identity, partner);
  const { code, requestId } = await requestCode(identity, notifier, user.email);
  return { user, body: { email: user.email, code, request_id: requestId }, requestId };
}
async function atOnce(width: number, count: number, body: unknown): Promise<Reply[]> {
  const replies: Reply[] = [];
  let started = 0;
  const worker = async () => {
    while (started++ < count) replies.push(await identity.call('POST', '/v1/auth/token', { body }));
  };
  await Promise.all(Array.from({ length: width }, worker));
  return replies;
}
const countOf = (replies: Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const challengeOf = async (id: string) =>
  await identity.db.collection('login_challenges').findOne({ _id: id as never });
const triesOf = async (id: string) => (await challengeOf(id))?.tries as number;

describe('many concurrent guesses', () => {
  it('hundreds with the right code open one session; no more than five are compared', async () => {
    let winners = 0;
    for (const width of lanes) {
      if (winners > 0) break;
      const guesses = width * guessesOfLane;
      const { user, body, requestId } = await codeOf();
      const replies = await atOnce(width, guesses, body);
      winners = countOf(replies, 200);
      // Those that lost: the code was used up, or had been compared five times, or the machine is too busy to say (503).
      const lost = [401, 429, 503].map((status) => countOf(replies, status)).reduce((a, b) => a + b);
      expect(winners + lost).toBe(guesses);
      const sessions = await identity.db.collection('sessions').countDocuments({ user_id: user.id });
      expect(sessions).toBeLessThanOrEqual(1);
      const challenge = await challengeOf(requestId);
      expect(challenge?.tries).toBeLessThanOrEqual(5);
      // The code is used up with the session, or not at all.
      expect([sessions, challenge?.used_at !== null]).toEqual([sessions, sessions === 1]);
      // Nobody is told of it only if a machine was too busy to tell.
      if (winners === 0) expect(countOf(replies, 503)).toBeGreaterThan(0);
      else expect([winners, sessions]).toEqual([1, 1]);
    }
    expect(winners).toBe(1);
  }, 600_000);

  it('a hundred with wrong codes are compared five times, and then the right one is not', async () => {
    const { body, requestId } = await codeOf();
    const replies = await atOnce(25, 100, { ...body, code: wrongCode(body.code) });
    expect(countOf(replies, 200)).toBe(0);
    expect(countOf(replies, 401)).toBeLessThanOrEqual(5);
    expect([401, 429, 503].map((status) => countOf(replies, status)).reduce((a, b) => a + b)).toBe(100);
    expect(await triesOf(requestId)).toBe(5);
    const right = await waitFor(
      async () => {
        const [reply] = await atOnce(1, 1, body);
        return reply?.status !== 503 && reply;
      },
      { timeoutMs: 120_000, what: 'an answer' },
    );
    expect(right.body).toMatchObject({ status: 429, code: 'too_many_login_attempts' });
  }, 600_000);
});
