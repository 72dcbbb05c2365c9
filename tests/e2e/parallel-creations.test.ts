import { randomUUID } from 'node:crypto';
import {
  type Answer,
  createPartner,
  keyHeaders,
  newReceipt,
  type PartnerKeys,
  received,
  send,
  setReceipt,
  until,
} from '@casewatch/driver';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { type System, sharedSystem } from '../support/system.ts';

const atOnce = 50;
const maxWebhooks = 20;

type Ask = { path: string; body: unknown; key?: string; keys?: PartnerKeys };

describe('50 identical concurrent creations, through everything', () => {
  let system: System;
  /** Has no webhooks yet, whatever the system was used for before. */
  let newcomer: PartnerKeys;
  beforeAll(async () => {
    system = await sharedSystem();
    newcomer = await newPartner(system.dataDir, 'Parallel Firm');
  });

  /** As a careful client does it: what may succeed later (503, a key that is still at work) is asked again. */
  async function post({ path, body, key, keys = system.dev().partner }: Ask): Promise<Answer> {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const ask = { as: keyHeaders(keys), path, body, headers };
    const settled = async () => {
      const answer = await send(system.dev(), 'POST', ask);
      return answer.body.retryable !== true && answer;
    };
    return await until(settled, { timeoutMs: 240_000, intervalMs: 250, what: 'the answer' });
  }

  const together = (ask: Ask) => Promise.all(Array.from({ length: atOnce }, () => post(ask)));
  const list = async (path: string, pair: PartnerKeys = system.dev().partner) => {
    const { body } = await createPartner(system.dev(), pair).call('GET', path);
    return Object.values(body).find(Array.isArray) as { id: number }[];
  };

  /** What is created with a key: each of the fifty is given the one object, one of them for the first time. */
  function expectOneForAll(answers: Answer[], name: string, [made, ...more]: { id: number }[]) {
    expect([made?.id, more]).toEqual([expect.any(Number), []]);
    const seen = answers.map(({ status, body }) => [status, (body[name] as { id: number } | undefined)?.id]);
    expect(seen).toEqual(answers.map(() => [201, made?.id]));
  }

  /** What is created without one: nobody is given a second, and the others are told why. */
  function expectOneAndRefusals(answers: Answer[], code: string, rows: { id: number }[]) {
    expect(rows).toHaveLength(1);
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeLessThanOrEqual(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [409, code]));
  }

  const newUser = () => ({ email: `parallel.${randomUUID()}@example.com`, name: 'Parallel Person' });
  const path = '/v1/client/users';
  const withEmail = ({ email }: { email: string }) => list(`${path}?email=${encodeURIComponent(email)}`);

  it('make one user with a key', async () => {
    const body = newUser();
    const answers = await together({ path, body, key: randomUUID() });
    expectOneForAll(answers, 'user', await withEmail(body));
  });

  it('make one user without a key', async () => {
    const body = newUser();
    expectOneAndRefusals(await together({ path, body }), 'email_already_exists', await withEmail(body));
  });

  async function newCase() {
    const { body } = await post({ path, body: newUser() });
    const { id } = body.user as { id: number };
    const receipt_number = newReceipt();
    await setReceipt(system.dev(), receipt_number, received);
    const ask = {
      path: `${path}/${id}/cases`,
      body: { receipt_number, uscis_access_acknowledged: true },
    };
    return { ask, made: () => list(`/v1/client/cases?user_id=${id}`) };
  }

  it('make one case with a key', async () => {
    const { ask, made } = await newCase();
    expectOneForAll(await together({ ...ask, key: randomUUID() }), 'case', await made());
  });

  it('make one case without a key', async () => {
    const { ask, made } = await newCase();
    expectOneAndRefusals(await together(ask), 'case_already_monitored', await made());
  });

  const newWebhook = (): Ask => ({
    path: '/v1/webhooks',
    body: { url: `${system.dev().receiver_url}/hooks/parallel`, events: ['*'] },
    keys: newcomer,
  });
  const webhooks = () => list('/v1/webhooks?limit=100', newcomer);

  it('make one webhook with a key', async () => {
    const answers = await together({ ...newWebhook(), key: randomUUID() });
    expectOneForAll(answers, 'webhook', await webhooks());
    // The secret is shown once, to whoever was first.
    const secrets = answers.map(({ body }) => (body.webhook as { secret: string | null }).secret);
    expect(secrets.filter((secret) => secret !== null).length).toBeLessThanOrEqual(1);
  });

  it('make webhooks without a key up to the limit, and not one more', async () => {
    const answers = await together(newWebhook());
    expect(await webhooks()).toHaveLength(maxWebhooks);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.length - refused.length).toBeLessThanOrEqual(maxWebhooks - 1);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [409, 'webhook_limit_reached']),
    );
  });
});
