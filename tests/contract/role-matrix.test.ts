import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isWithinRole,
  type Operation,
  type OperationName,
  operations,
  type Principal,
  type StaffRole,
  scopesOfRole,
} from '@casewatch/contracts';
import { createPartner, newReceipt, received, setReceipt, succeed } from '@casewatch/driver';
import { type PrincipalSigner, principalHeader, principalSigner } from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type System, sharedSystem } from '../support/system.ts';
import { expectations, type World } from './expectations.ts';

/**
 * What members of staff may do. The console's cookie is no credential of the interface, so the test signs principals as the gateway
 * does and calls the services: what refuses is the wrapper of each service, whatever a page shows.
 */
describe('what a member of staff may do', () => {
  let system: System;
  let sign: PrincipalSigner;
  let world: World;
  let firms: { own: number; other: number };
  beforeAll(async () => {
    system = await sharedSystem();
    const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    sign = principalSigner(JSON.parse(env.gateway.PRINCIPAL_KEY));
    const dev = system.dev();
    const [own, other] = [createPartner(dev, dev.partner), createPartner(dev, dev.other_partner)];
    firms = { own: dev.partner.id, other: dev.other_partner.id };
    const [a, b] = await Promise.all([own.verifiedUser(), other.verifiedUser()]);
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    const { id: caseOfA } = await own.newCase(a.id, receipt);
    const { id: webhookOfP } = await own.newWebhook('roles', ['*']);
    const body = { email: `roles.${receipt}@example.com`.toLowerCase(), name: 'Roles', role: 'viewer' };
    const path = '/v1/client/staff';
    const { staff_member } = await succeed<{ staff_member: { id: number } }>(dev, 'POST', {
      as: own.headers,
      path,
      body,
    });
    world = { userA: a.id, userB: b.id, receipt, caseOfA, webhookOfP, staffOfP: staff_member.id };
  }, 180_000);
  afterAll(async () => {
    await system.stop();
  }, 60_000);

  const callers = ['owner', 'editor', 'viewer', 'owner of another firm', 'person with the same id'] as const;
  type Caller = (typeof callers)[number];

  function principalOf(caller: Caller): Principal {
    const now = Math.floor(Date.now() / 1_000);
    if (caller === 'person with the same id')
      return {
        kind: 'user',
        user_id: world.userB,
        partner_id: firms.other,
        session_id: 's',
        signed_in_at: now,
      };
    const role: StaffRole = caller === 'owner of another firm' ? 'owner' : caller;
    const partner_id = caller === 'owner of another firm' ? firms.other : firms.own;
    return {
      kind: 'partner',
      partner_id,
      key_id: '',
      scopes: [...scopesOfRole[role]],
      // Invited as a viewer: a handler that asks the database finds no owner.
      staff_id: world.staffOfP,
      role,
      signed_in_at: now,
    };
  }

  async function call(name: OperationName, caller: Caller): Promise<{ status: number; code?: string }> {
    const { method, service }: Operation = operations[name];
    const { path, body } = expectations[name]?.request(world) ?? { path: '/' };
    const bare = path.split('?')[0] ?? '';
    const write = method === 'GET' ? undefined : { method, path: bare };
    const { url = '' } = system.dev().services[service] ?? {};
    const response = await fetch(url + path, {
      method,
      headers: {
        accept: 'application/json',
        [principalHeader]: sign({ principal: principalOf(caller), address: '203.0.113.9' }, service, write),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { code } = text.startsWith('{') ? JSON.parse(text) : { code: undefined };
    return { status: response.status, code };
  }

  const rows = (Object.entries(operations) as [OperationName, Operation][])
    .filter(([, { who }]) => who.includes('partner'))
    .flatMap(([name, row]) => callers.map((caller) => [name, caller, row] as const));

  /** Handlers that refuse a member what the role permits: who makes a key must still be an owner in the database. */
  const refusedByHandler: Partial<Record<OperationName, readonly Caller[]>> = {
    create_key: ['owner', 'owner of another firm'],
  };

  it.each(rows)('%s by %s', async (name, caller, row) => {
    const { status, code } = await call(name, caller);
    if (caller === 'person with the same id') {
      // A person is let in where the row says so, and gets what the person got in the matrix of callers.
      if (row.who.includes('user')) expect({ status }).toEqual({ status: expectations[name]?.status.userB });
      else expect({ status, code }).toEqual({ status: 401, code: 'missing_credentials' });
      return;
    }
    const role: StaffRole = caller === 'owner of another firm' ? 'owner' : caller;
    const permits = isWithinRole(role, row.role ?? 'owner') && !refusedByHandler[name]?.includes(caller);
    if (!permits) {
      expect({ status, code }).toEqual({ status: 403, code: 'insufficient_role' });
      return;
    }
    const { partnerP, partnerQ } = expectations[name]?.status ?? {};
    expect({ status }).toEqual({ status: caller === 'owner of another firm' ? partnerQ : partnerP });
  });
});
