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

const guesses = 250;
const wrongGuesses = 100;

async function codeOf() {
  const user = await makeUser(identity, partner);
  const { code, requestId } = await requestCode(identity, notifier, user.email);
  return { user, body: { email: user.email, code, request_id: requestId }, requestId };
}
/** Sends them all, more at any moment than the database has connections (20), and no more than it answers in time. */
async function atOnce(count: number, body: unknown): Promise<Reply[]> {
  const replies: Reply[] = [];
  let started = 0;
  const worker = async () => {
    while (started++ < count) replies.push(await identity.call('POST', '/v1/auth/token', { body }));
  };
  await Promise.all(Array.from({ length: 25 }, worker));
  return replies;
}
const countOf = (replies: Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const triesOf = async (id: string) =>
  (await identity.db.collection('login_challenges').findOne({ _id: id as never }))?.tries as number;

describe('many concurrent guesses', () => {
  it('hundreds with the right code open one session; no more than five are compared', async () => {
    const { user, body, requestId } = await codeOf();
    const replies = await atOnce(guesses, body);
    expect(countOf(replies, 200)).toBe(1);
    // Those that lost: the code was used up, or had been compared five times, or the machine is too busy to say (503).
    expect([401, 429, 503].map((status) => countOf(replies, status)).reduce((a, b) => a + b)).toBe(
      guesses - 1,
    );
    expect(await triesOf(requestId)).toBeLessThanOrEqual(5);
    expect(await identity.db.collection('sessions').countDocuments({ user_id: user.id })).toBe(1);
  }, 120_000);

  it('a hundred with wrong codes are compared five times, and then the right one is not', async () => {
    const { body, requestId } = await codeOf();
    const replies = await atOnce(wrongGuesses, { ...body, code: wrongCode(body.code) });
    expect(countOf(replies, 200)).toBe(0);
    expect(countOf(replies, 401)).toBeLessThanOrEqual(5);
    expect(countOf(replies, 429)).toBeGreaterThan(0);
    expect(await triesOf(requestId)).toBe(5);
    const [right] = await atOnce(1, body);
    expect(right?.body).toMatchObject({ status: 429, code: 'too_many_login_attempts' });
  }, 120_000);
});
