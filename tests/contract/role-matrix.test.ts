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
import {
  createPartner,
  keyHeaders,
  newReceipt,
  type Partner,
  type PartnerWithKey,
  received,
  setReceipt,
  succeed,
} from '@casewatch/driver';
import { type PrincipalSigner, principalHeader, principalSigner } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consolePages } from '../../services/gateway/src/pages/console/pages.ts';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser, type PersonBrowser } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
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
    const a = await own.verifiedUser();
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    const { id: caseOfA } = await own.newCase(a.id, receipt);
    const { id: webhookOfP } = await own.newWebhook('roles', ['*']);
    const id = await sameId(own, other);
    world = { userA: a.id, userB: id, receipt, caseOfA, webhookOfP, staffOfP: id };
  });
  afterAll(async () => {
    await system.stop();
  });

  /** Of a member of the staff of one firm, and of a person of the other one: the ids of both worlds begin at 1. */
  async function sameId(own: Partner, other: Partner): Promise<number> {
    const newMember = async () => {
      const email = `roles.${newReceipt()}@example.com`.toLowerCase();
      const { staff_member } = await succeed<{ staff_member: { id: number } }>(system.dev(), 'POST', {
        as: own.headers,
        path: '/v1/client/staff',
        body: { email, name: 'Roles', role: 'viewer' },
      });
      return staff_member;
    };
    let [member, person] = [await newMember(), await other.verifiedUser()];
    while (member.id !== person.id) {
      if (member.id < person.id) member = await newMember();
      else person = await other.verifiedUser();
    }
    return member.id;
  }

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

  /** Handlers that refuse a member what the role permits: who makes a key, or takes access, must still be an owner in the database. */
  const refusedByHandler: Partial<Record<OperationName, readonly Caller[]>> = {
    create_key: ['owner', 'owner of another firm'],
    reset_second_factor: ['owner'],
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

/**
 * What a change of a member ends, everywhere, within 2 s. Until then a principal that the gateway has signed with the former role is
 * good: services read the role from it alone (firm.md §1).
 */
describe('a member whose role or status was changed', () => {
  let system: System;
  let firm: PartnerWithKey;
  let world: World;
  beforeAll(async () => {
    system = await sharedSystem();
    firm = await newPartner(system.dataDir, 'Changing Law');
    const partner = createPartner(system.dev(), firm);
    const { id: userA } = await partner.verifiedUser();
    const receipt = newReceipt();
    await setReceipt(system.dev(), receipt, received);
    const { id: caseOfA } = await partner.newCase(userA, receipt);
    const { id: webhookOfP } = await partner.newWebhook('changing', ['*']);
    world = { userA, userB: userA, receipt, caseOfA, webhookOfP, staffOfP: 1 };
  });

  const byFirm = (method: string, path: string, body: object) =>
    succeed<{ staff_member: { id: number } }>(system.dev(), method, { as: keyHeaders(firm), path, body });

  async function join(role: StaffRole) {
    const email = `changing.${Math.random().toString(36).slice(2)}@firm.example`;
    const { staff_member } = await byFirm('POST', '/v1/client/staff', { email, name: 'Changing', role });
    const browser = createPersonBrowser(system.dev());
    const token = await invitationTo(system.dev(), email);
    await waitFor(async () => (await browser.post('/console/invitation', { token })).status === 303, {
      timeoutMs: 30_000,
      what: 'the acceptance',
    });
    return { id: staff_member.id, browser };
  }

  /** Every page that the console links to from its pages for an owner, whatever there are. */
  async function pagesOf(browser: PersonBrowser): Promise<string[]> {
    const found = new Set(['/console']);
    for (const path of found) {
      if (found.size > 60) break;
      const { text } = await browser.get(path);
      for (const [, href = ''] of text.matchAll(/href="(\/console[^"#]*)"/g))
        if (!/sign-|cursor=|\?/.test(href)) found.add(href);
    }
    return [...found].sort();
  }

  /** Of a page, or of a form that is sent empty. A busy machine may be late for one: it is asked again. */
  const statusesOf = async (
    browser: PersonBrowser,
    paths: readonly string[],
    method: 'get' | 'post' = 'get',
  ) => {
    const statuses: [string, number][] = [];
    for (const path of paths) {
      const answered = await waitFor(async () => {
        const { status } = await (method === 'get' ? browser.get(path) : browser.post(path, {}));
        return status !== 503 && status;
      });
      statuses.push([path, answered]);
    }
    return statuses;
  };

  it('who is disabled gets no page and can send no form, with the cookie that opened all of them before', async () => {
    const { id, browser } = await join('owner');
    const other = await join('owner');
    const pages = await pagesOf(browser);
    expect(pages.length).toBeGreaterThan(8);
    // Of objects that are not there: who is let in gets another status than 401.
    const forms = consolePages
      .filter(({ method }) => method === 'POST')
      .map(({ path }) => path.replace(':case_ref', 'FLOW0000000').replaceAll(/:\w+/g, '0'));
    expect(forms.length).toBeGreaterThan(30);
    expect((await statusesOf(browser, pages)).filter(([, status]) => status !== 200)).toEqual([]);
    expect((await statusesOf(browser, forms, 'post')).filter(([, status]) => status === 401)).toEqual([]);
    await byFirm('PUT', `/v1/client/staff/${id}`, { status: 'disabled' });
    await waitFor(async () => (await browser.get('/console')).status === 401, {
      timeoutMs: 30_000,
      what: 'the end of the session',
    });
    const closed = [...(await statusesOf(browser, pages)), ...(await statusesOf(browser, forms, 'post'))];
    expect(closed.filter(([, status]) => status !== 401)).toEqual([]);
    expect((await other.browser.get('/console')).status).toBe(200);
  });

  it('has no credential of an operation: the cookie of the console is none, disabled or active (firm.md §1)', async () => {
    const [disabled, active] = [await join('owner'), await join('owner')];
    await byFirm('PUT', `/v1/client/staff/${disabled.id}`, { status: 'disabled' });
    const rows = (Object.entries(operations) as [OperationName, Operation][]).filter(([, { who }]) =>
      who.includes('partner'),
    );
    const gateway = system.dev().gateway_url;
    for (const { id, browser } of [disabled, active]) {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const [name, row] of rows) {
        const { path, body } = expectations[name]?.request(world) ?? { path: '/' };
        const answer = await fetch(gateway + path, {
          method: row.method,
          headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        // Operations that are open to everybody meet nobody here.
        expect([id, name, answer.status]).toEqual([id, name, expectations[name]?.status.nobody]);
        await answer.arrayBuffer();
      }
    }
    expect((await active.browser.get('/console')).status).toBe(200);
  });

  it.each([
    ['editor', 'viewer'],
    ['owner', 'viewer'],
    ['owner', 'editor'],
  ] as const)('from %s to %s gets what the lower role gets, and no more', async (from, to) => {
    const [owner, lowered, born] = [await join('owner'), await join(from), await join(to)];
    const pages = (await pagesOf(owner.browser)).filter((path) => !path.includes('/staff/'));
    const wanted = await statusesOf(born.browser, pages);
    const before = await statusesOf(lowered.browser, pages);
    expect(before).not.toEqual(wanted);
    await byFirm('PUT', `/v1/client/staff/${lowered.id}`, { role: to });
    // What is open before and closed afterwards tells when the change has arrived.
    const refused = wanted.find(([, status], i) => status === 403 && before[i]?.[1] === 200)?.[0] ?? '';
    await waitFor(async () => (await lowered.browser.get(refused)).status === 403, {
      timeoutMs: 30_000,
      what: 'the lower role',
    });
    expect(await statusesOf(lowered.browser, pages)).toEqual(wanted);
  });
});
