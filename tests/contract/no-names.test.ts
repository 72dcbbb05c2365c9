import { type OperationName, operations, type Scope } from '@casewatch/contracts';
import { createPartner, newReceipt, type Partner, received, setReceipt, succeed } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { type System, sharedSystem } from '../support/system.ts';
import { expectations, type World } from './expectations.ts';

/** In no other text of the system. */
const name = 'Zebulina Quartzhammer';
const names = /zebulina|quartzhammer/i;

// What reads comes first: what writes may end the objects.
const all = (Object.keys(operations) as OperationName[]).toSorted(
  (one, other) => Number(operations[one].method !== 'GET') - Number(operations[other].method !== 'GET'),
);

describe('the name and the address of a person', () => {
  let system: System;
  let full: Partner;
  let world: World;
  beforeAll(async () => {
    system = await sharedSystem();
    const dev = system.dev();
    full = createPartner(dev, await newPartner(system.dataDir, 'Firm of a person with a name'));
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    const email = `zebulina.quartzhammer.${receipt.toLowerCase()}@example.com`;
    const { user } = await succeed<{ user: { id: number } }>(dev, 'POST', {
      as: full.headers,
      path: '/v1/client/users',
      body: { name, email, send_verification: false },
    });
    const { id: caseOfA } = await full.newCase(user.id, receipt);
    const { id: webhookOfP } = await full.newWebhook('names', ['*']);
    world = { userA: user.id, userB: user.id, receipt, caseOfA, webhookOfP, staffOfP: 999_999 };
  });
  afterAll(async () => await system.stop());

  async function ask(operation: OperationName, headers: Record<string, string>) {
    const { path, body, form } = expectations[operation]?.request(world) ?? { path: '/' };
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await fetch(system.dev().gateway_url + path, {
      method: operations[operation].method,
      headers: { ...headers, ...((body ?? form) !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: form }),
    });
    const text = await response.text();
    return { status: response.status, isNamed: names.test(text + JSON.stringify([...response.headers])) };
  }

  it('is told by operations of cases to who may see people: they have something to hide', async () => {
    for (const operation of ['list_partner_cases', 'get_partner_case', 'list_partner_users'] as const)
      expect([operation, await ask(operation, full.headers)]).toEqual([
        operation,
        { status: 200, isNamed: true },
      ]);
  });

  const scopesOfKeys: Scope[][] = [['cases:read'], ['cases:read', 'cases:write', 'check']];
  it.each(scopesOfKeys.map((scopes) => ({ scopes })))(
    'is told by none of all operations to a key with $scopes',
    async ({ scopes }) => {
      const key = await full.newKey({ scopes });
      const { headers } = createPartner(system.dev(), key);
      const answered: Partial<Record<OperationName, number>> = {};
      const told: OperationName[] = [];
      for (const operation of all) {
        const { status, isNamed } = await ask(operation, headers);
        answered[operation] = status;
        if (isNamed) told.push(operation);
      }
      await succeed(system.dev(), 'DELETE', { as: full.headers, path: `/v1/client/keys/${key.id}` });
      expect(told).toEqual([]);
      // Each list and each case was shown, not refused; a file without names is none.
      const shown = all.filter((operation) => answered[operation] === 200);
      const ofCases = all.filter(
        (operation) => operations[operation].method === 'GET' && operations[operation].scope === 'cases:read',
      );
      const isFile = (operation: OperationName) => operation.startsWith('export_');
      expect(shown).toEqual(expect.arrayContaining(ofCases.filter((operation) => !isFile(operation))));
      expect(ofCases.filter(isFile).map((operation) => answered[operation])).toEqual([403, 403]);
    },
  );
});
