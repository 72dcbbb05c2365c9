import type { CaseQuestion } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, receipt, statusUpdated, user } from '../support/fixtures.ts';
import { type Cases, startTestCases } from '../support/start-cases.ts';

describe('cases.cases', () => {
  let cases: Cases;
  let lastUser = 0;
  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());

  async function create(): Promise<CaseInEvent> {
    const userId = ++lastUser;
    cases.users.set(userId, user(userId));
    const body = { receipt_number: receipt(userId), uscis_access_acknowledged: true };
    const reply = await cases.call('POST', `/v1/client/users/${userId}/cases`, { body });
    const { id, user_case_id, receipt_number } = reply.body.case as CaseInEvent;
    return { id, user_case_id, receipt_number, user_id: userId, partner_id: 1 };
  }
  const ask = (...questions: CaseQuestion[]) =>
    cases.webhooks.bus.request('cases.cases', { cases: questions });
  /** Asks again, as webhooks does: a busy machine may take longer than one request waits. */
  async function askUntilAnswered(...questions: CaseQuestion[]) {
    for (;;) {
      const { answers } = await ask(...questions);
      if (answers.length > 0) return answers;
    }
  }
  const question = (case_id: number, observation = 0, version = 0) => ({
    case_id,
    at_least: { observation, version },
  });

  it('answers what cases.case answers, by question, and null for a case that is not there', async () => {
    const [one, other] = [await create(), await create()];
    const { answers } = await ask(question(other.id), question(999_999), question(one.id, 1, 1));
    const single = (case_id: number) => cases.notifier.bus.request('cases.case', { case_id });
    expect(answers).toEqual([
      { question: 0, found: await single(other.id) },
      { question: 1, found: null },
      { question: 2, found: await single(one.id) },
    ]);
  });

  it('answers at once what is not early, and leaves out what is', async () => {
    const [one, other] = [await create(), await create()];
    const order: string[] = [];
    const early = ask(question(one.id, 9)).then(() => order.push('early'));
    const { answers } = await ask(question(one.id, 9), question(other.id), question(other.id, 0, 9));
    order.push('mixed');
    await early;
    expect(answers.map(({ question }) => question)).toEqual([1]);
    expect(order).toEqual(['mixed', 'early']);
  });

  it('waits while all are early, until the update of one of them is stored', async () => {
    const [one, other] = [await create(), await create()];
    const asked = askUntilAnswered(question(one.id, 2), question(other.id, 2));
    await cases.monitor.publish('status.updated', statusUpdated(other));
    expect(await asked).toMatchObject([{ question: 1, found: { latest_observation: 2 } }]);
  });

  it('waits for what another replica stores', async () => {
    const one = await create();
    const asked = askUntilAnswered(question(one.id, 0, 2));
    // No event of this process tells of the change.
    await cases.db.collection<{ _id: number }>('cases').updateOne({ _id: one.id }, { $set: { version: 2 } });
    expect(await asked).toMatchObject([{ question: 0, found: { version: 2 } }]);
  });

  it('stops waiting after 200 ms and answers nothing', async () => {
    const one = await create();
    const started = performance.now();
    expect(await ask(question(one.id, 9))).toEqual({ answers: [] });
    expect(performance.now() - started).toBeGreaterThanOrEqual(190);
  });

  it('answers as many as fit into a message, and the others when they are asked again', async () => {
    const one = await create();
    const update = statusUpdated(one);
    const long = { ...update.status_update, status_description: 'x'.repeat(200_000) };
    await cases.monitor.publish('status.updated', { ...update, status_update: long });
    const answers = await askUntilAnswered(...Array.from({ length: 5 }, () => question(one.id, 2)));
    expect(answers.map(({ question }) => question)).toEqual([0]);
  });
});
