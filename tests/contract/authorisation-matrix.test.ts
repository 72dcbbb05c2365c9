import { type OperationName, operations } from '@casewatch/contracts';
import { createPartner, newReceipt, received, setReceipt, succeed } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallerName, type Callers, callerNames, makeCallers } from '../support/callers.ts';
import { type System, sharedSystem } from '../support/system.ts';
import { expectations, type World } from './expectations.ts';
import { type KeysOfPartner, keyRequests, keysOfPartner, limitedKeys } from './limited-keys.ts';

describe('who may do what', () => {
  let system: System;
  let world: World;
  let callers: Callers;
  let endCallers: () => Promise<unknown> = async () => {};
  beforeAll(async () => {
    system = await sharedSystem();
    const made = await makeCallers(system);
    callers = made.callers;
    endCallers = made.end;
    world = { ...made, ...(await objectsOf(made)) };
  });
  afterAll(async () => {
    await endCallers();
    await system.stop();
  });

  /** A case of user A, a webhook and a member of the staff of partner P, and a receipt that can be asked for. */
  async function objectsOf({ userA }: { userA: number }) {
    const dev = system.dev();
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    const partner = createPartner(dev, dev.partner);
    const { id: caseOfA } = await partner.newCase(userA, receipt);
    const { id: webhookOfP } = await partner.newWebhook('matrix', ['*']);
    const invited = {
      email: `matrix.${receipt}@example.com`.toLowerCase(),
      name: 'Matrix Member',
      role: 'viewer',
    };
    const { staff_member } = await succeed<{ staff_member: { id: number } }>(dev, 'POST', {
      as: partner.headers,
      path: '/v1/client/staff',
      body: invited,
    });
    return { receipt, caseOfA, webhookOfP, staffOfP: staff_member.id };
  }

  it('has an expectation for every operation of the table, and for no other', () => {
    expect(Object.keys(expectations).sort()).toEqual(Object.keys(operations).sort());
  });

  const rows = (Object.keys(operations) as OperationName[]).flatMap((name) =>
    callerNames.map((caller) => [name, caller] as const),
  );
  it.each(rows)('%s by %s', async (name, caller) => {
    const expectation = expectations[name];
    if (!expectation) throw new Error(`no expectation for ${name}`);
    expect({ status: await statusOf(name, caller) }).toEqual({ status: expectation.status[caller] });
  });

  describe.each(limitedKeys)('a key that is limited by %s', (what, limits) => {
    let keys: KeysOfPartner;
    beforeAll(async () => {
      keys = await keysOfPartner(system, `Firm with a key limited by ${what}`, limits);
    });

    it('has a request for every operation on keys', () => {
      const onKeys = Object.entries(operations).filter(([, { scope }]) => scope === 'keys');
      const tested = new Set(keyRequests.map(([name]) => name));
      expect([...tested].sort()).toEqual(onKeys.map(([name]) => name).sort());
    });

    it.each(keyRequests)('%s %s', async (_name, _case, request, status) => {
      const { method, path, body } = request(keys);
      const { status: answered } = await createPartner(system.dev(), keys.limited).call(method, path, body);
      expect({ status: answered }).toEqual({ status });
    });
  });

  async function statusOf(name: OperationName, caller: CallerName): Promise<number> {
    const { method } = operations[name];
    const { path, body, form } = expectations[name]?.request(world) ?? { path: '/' };
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await fetch(system.dev().gateway_url + path, {
      method,
      headers: { ...callers[caller], ...((body ?? form) !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: form }),
    });
    await response.arrayBuffer();
    return response.status;
  }
});
