import { randomUUID } from 'node:crypto';
import { prepareModels } from '@casewatch/platform/database';
import { connectDatabase, freePort, startMongo } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { createCodeFailures } from '../../src/limits/code-failures.ts';
import { createRateLimitStore } from '../../src/store/rate-limits.ts';
import { startTestNotifier } from '../support/notifier.ts';
import { makePartner, makeUser } from '../support/people.ts';
import { requestCode, wrongCode } from '../support/sign-in.ts';
import { startTestIdentity } from '../support/start-identity.ts';

it('wrong guesses of a login code are counted, right ones and those without a code to guess are not', async () => {
  const port = await freePort();
  const identity = await startTestIdentity({ METRICS_PORT: String(port) });
  const notifier = await startTestNotifier(identity.nats);
  try {
    const user = await makeUser(identity, await makePartner(identity, 'Law Firm'));
    const { email } = user;
    const { code, requestId } = await requestCode(identity, notifier, email);
    const guess = (guessed: string, request_id: string) =>
      identity.call('POST', '/v1/auth/login-code/verify', { body: { email, code: guessed, request_id } });
    expect((await guess(wrongCode(code), requestId)).status).toBe(401);
    expect((await guess(code, requestId)).status).toBe(200);
    expect((await guess(code, randomUUID())).status).toBe(401);
    expect((await guess(wrongCode(code), requestId)).status).toBe(401);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(/^identity_login_code_failures_total (\d+)$/m.exec(metrics)?.[1]).toBe('2');
  } finally {
    await notifier.stop();
    await identity.stop();
  }
});

it('more wrong guesses than the setting, over all replicas, are one warning in ten minutes', async () => {
  const mongo = await startMongo();
  const db = await connectDatabase(mongo.url('failures'));
  const rateLimits = createRateLimitStore(db);
  await prepareModels(db);
  // Of today: MongoDB deletes rows whose time is over.
  let now = new Date();
  const warnings: string[] = [];
  const judged: Promise<void>[] = [];
  const replica = () => {
    const failures = createCodeFailures({
      clock: { now: () => now },
      log: { warn: (_record: object, message: string) => void warnings.push(message) },
      rateLimits,
      alertAt: 5,
    });
    return () => judged.push(failures.record());
  };
  const replicas = [replica(), replica()];
  const fail = async (times: number) => {
    for (let i = 0; i < times; i++) replicas[i % 2]?.();
    await Promise.all(judged.splice(0));
  };
  try {
    await fail(5);
    expect(warnings).toEqual([]);
    await fail(4);
    expect(warnings).toEqual(['many wrong login codes']);
    now = new Date(now.getTime() + 10 * 60_000);
    await fail(5);
    expect(warnings).toHaveLength(1);
    await fail(1);
    expect(warnings).toHaveLength(2);
  } finally {
    await db.close();
    await mongo.stop();
  }
});
