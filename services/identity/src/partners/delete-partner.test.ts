import type { StaffRole } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { connectAs, connectDatabase, spawnProgram, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { TestNotifier } from '../../test/support/notifier.ts';
import {
  admin,
  makePartner,
  makeUser,
  runCommand,
  someAddress,
  type TestPartner,
} from '../../test/support/people.ts';
import {
  settingsAt,
  startServers,
  startTestIdentity,
  type TestIdentity,
} from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';
import { secretSha256 } from '../credentials/api-key.ts';
import { newPartnerUser } from '../domain/new-user.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let gateway: Bus;
let cases: Bus;
useIdentity((started) => ({ identity, notifier, gateway } = started));
beforeAll(async () => {
  cases = await connectAs(identity.nats, 'cases');
});
afterAll(async () => {
  await cases.stop();
});

const address = '203.0.113.7';
const dayMs = 24 * 60 * 60 * 1_000;
const patience = { timeoutMs: 60_000, intervalMs: 100 };
let count = 0;

type Firm = TestPartner & { id: number; name: string };
async function newFirm(): Promise<Firm> {
  const name = `Leaving Firm ${++count}`;
  const made = await makePartner(identity, name);
  return { ...made, id: made.as.partner_id, name };
}

/** A member who accepted the invitation and is signed in. */
async function join(firm: Firm, role: StaffRole, email = someAddress()) {
  const path = '/v1/client/staff';
  const body = { email, name: 'Maria Lopes', role };
  const invited = await identity.call('POST', path, { as: firm.as, body });
  const { id } = invited.body.staff_member as { id: number };
  const mail = await waitFor(
    () =>
      notifier.sent.find(
        (one) =>
          one.kind === 'staff_invitation' &&
          one.to === email &&
          one.partner?.name === firm.name &&
          one.staff_id === id,
      ),
    { what: 'the invitation' },
  );
  const token = new URL('link' in mail ? mail.link : '').searchParams.get('token') ?? '';
  const browser = 'Firefox on Linux';
  const { session } = await gateway.request('identity.accept_invitation', { token, address, browser });
  if (session === null) throw new Error('the member was not signed in');
  return { id, email, token: session.token };
}

const authenticate = (firm: Firm) =>
  gateway.request('identity.authenticate', {
    api_key: firm.api_key,
    secret_sha256: secretSha256(firm.api_secret),
    address,
  });
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );
const begin = (firm: Firm, ...more: string[]) =>
  admin(identity, 'partner', 'delete', String(firm.id), '--name', firm.name, ...more);
const show = async (firm: Firm) =>
  (await admin(identity, 'partner', 'show', String(firm.id))).partner as Record<string, unknown>;
const partners = () => identity.db.collection<{ _id: number }>('partners');
const isThere = async (firm: Firm) => (await partners().findOne({ _id: firm.id })) !== null;

/** As if the deletion had begun so long ago. */
async function age(firm: Firm, ms: number): Promise<void> {
  const at = (field: string) => ({ $subtract: [`$deletion.${field}`, ms] });
  const set = { 'deletion.requested_at': at('requested_at'), 'deletion.due_at': at('due_at') };
  await partners().updateOne({ _id: firm.id }, [{ $set: set }]);
}

async function erased(firm: Firm): Promise<void> {
  await waitFor(async () => !(await isThere(firm)), { ...patience, what: `the erasure of ${firm.name}` });
}

/** What each collection of the service says of a value, whichever collections there are. */
async function placesOf(value: RegExp): Promise<string[]> {
  const names = (await identity.db.listCollections().toArray()).map(({ name }) => name);
  const places = await Promise.all(
    names.map(async (name) => {
      const rows = await identity.db.collection(name).find().toArray();
      return value.test(JSON.stringify(rows)) ? [name] : [];
    }),
  );
  return places.flat().sort();
}

describe('the deletion of a partner', () => {
  it('asks for the name, and with another one or none does nothing', async () => {
    const firm = await newFirm();
    const wrong = await runCommand(identity, [
      'partner',
      'delete',
      String(firm.id),
      '--name',
      'leaving firm',
    ]);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('Nothing is deleted') });
    expect(await runCommand(identity, ['partner', 'delete', '99999999', '--name', 'x'])).toMatchObject({
      code: 1,
      err: 'There is no partner 99999999.',
    });
    expect(await show(firm)).toMatchObject({ status: 'active' });
    expect(await show(firm)).not.toHaveProperty('deletion');
    const typed = async (line: string) => {
      const { child, end } = spawnProgram(new URL('../admin/main.ts', import.meta.url).pathname, {
        args: ['partner', 'delete', String(firm.id)],
        env: { NODE_ENV: 'test', MONGODB_URL: identity.mongoUrl, SECRET_PEPPER: 'x'.repeat(40) },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const code = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end(line);
      const exit = await code;
      await end('SIGKILL');
      return exit;
    };
    expect(await typed('')).toBe(1);
    expect(await typed('Another Firm\n')).toBe(1);
    expect(await show(firm)).not.toHaveProperty('deletion');
    expect(await typed(`${firm.name}\n`)).toBe(0);
    expect(await show(firm)).toMatchObject({ status: 'suspended', deletion: expect.anything() });
  });

  it('ends the access of keys, members and links, tells the owners the date, and is recorded', async () => {
    const firm = await newFirm();
    const [owner, editor] = [await join(firm, 'owner'), await join(firm, 'editor')];
    const made = await admin(identity, 'console', 'link', '--partner', String(firm.id));
    const { url } = made.console_link as { url: string };
    const link_token = new URL(url).searchParams.get('token') ?? '';
    const used =
      new URL(
        (
          (await admin(identity, 'console', 'link', '--partner', String(firm.id))).console_link as {
            url: string;
          }
        ).url,
      ).searchParams.get('token') ?? '';
    const opened = await gateway.request('identity.open_console', { link_token: used });
    const before = await gateway.request('identity.revocations', { since: null });
    await begin(firm);
    const after = await gateway.request('identity.revocations', { since: before.revision });
    expect(JSON.stringify(after)).toContain(`"partner","id":"${firm.id}"`);
    expect(await codeOf(authenticate(firm))).toBe('partner_suspended');
    for (const { token } of [owner, editor])
      expect(await codeOf(gateway.request('identity.staff_session', { token }))).toBe(
        'console_session_ended',
      );
    const console = gateway.request('identity.console_session', { token: opened.token });
    expect(await codeOf(console)).toBe('console_session_ended');
    expect(await gateway.request('identity.console_link', { link_token })).toEqual({ link: null });
    const mail = await waitFor(
      () => notifier.sent.find((one) => one.kind === 'partner_deletion' && one.to === owner.email),
      { ...patience, what: 'the mail to the owner' },
    );
    const { deletion } = (await show(firm)) as { deletion: { erased_at: string; requested_at: string } };
    expect(mail).toMatchObject({ ends_at: deletion.erased_at, staff_id: owner.id });
    expect(Date.parse(deletion.erased_at) - Date.parse(deletion.requested_at)).toBe(30 * dayMs);
    expect(notifier.sent.filter((one) => one.kind === 'partner_deletion' && one.to === editor.email)).toEqual(
      [],
    );
    const acts = await identity.db.collection('audit').find({ operation: 'admin partner delete' }).toArray();
    expect(acts.filter(({ partner_id }) => partner_id === firm.id)).toMatchObject([
      { actor: 'operator', objects: [`partner:${firm.id}`] },
    ]);
    const listed = await runCommand(identity, ['partner', 'list']);
    expect(listed.out).toContain(`${firm.id}\tdeleted on ${deletion.erased_at}\t${firm.name}`);
  });

  it('lets nobody begin at the partner, and nothing else be done for it, until it is restored', async () => {
    const firm = await newFirm();
    await begin(firm);
    const body = { email: someAddress(), name: 'Late Person' };
    const created = await identity.call('POST', '/v1/client/users', { as: firm.as, body });
    expect([created.status, created.body.code]).toEqual([403, 'partner_suspended']);
    // An import that runs: the row ends with a refusal, and is not asked for again and again.
    const person = { email: someAddress(), name: 'Late Row', phone: null, preferred_language: null };
    const row = await cases.request('identity.upsert_person', {
      ...{ partner_id: firm.id, actor: { key_id: 'k', staff_id: null }, key: `import:1:${firm.id}` },
      person: { ...person, notify_by_email: null, notify_by_whatsapp: null },
      ...{ send_verification: false, earlier: [], writes: true, expected: null },
    });
    expect(row).toMatchObject({ outcome: 'refused', code: 'partner_suspended', user_id: null });
    const invited = await identity.call('POST', '/v1/client/staff', {
      as: firm.as,
      body: { ...body, role: 'viewer' },
    });
    expect([invited.status, invited.body.code]).toEqual([403, 'partner_suspended']);
    const id = String(firm.id);
    for (const args of [
      ['partner', 'reactivate', '--partner', id],
      ['partner', 'set', '--partner', id, '--notify-unverified', 'yes'],
      ['key', 'create', '--partner', id],
      ['console', 'link', '--partner', id],
      ['staff', 'invite', '--partner', id, '--email', someAddress()],
      ['partner', 'delete', id, '--name', firm.name],
    ])
      expect([args[0], (await runCommand(identity, args)).code]).toEqual([args[0], 1]);
    await admin(identity, 'partner', 'restore', id);
    expect(await codeOf(authenticate(firm))).toBe('ok');
    expect(await show(firm)).not.toHaveProperty('deletion');
    await makeUser(identity, firm);
    expect((await runCommand(identity, ['partner', 'restore', id])).code).toBe(1);
  });

  it('restores a suspended partner as a suspended one, and none whose grace is over', async () => {
    const firm = await newFirm();
    await admin(identity, 'partner', 'suspend', '--partner', String(firm.id));
    await begin(firm);
    expect(await admin(identity, 'partner', 'restore', String(firm.id))).toEqual({
      partner: { id: firm.id, status: 'suspended' },
    });
    await begin(firm, '--now');
    const late = await runCommand(identity, ['partner', 'restore', String(firm.id)]);
    expect(late).toMatchObject({ code: 1, err: expect.stringContaining('has begun') });
  });
});

describe('the erasure of a partner', () => {
  it('waits for the end of the grace, then leaves ids alone, and keeps what another partner has of the same address', async () => {
    const [firm, kept] = [await newFirm(), await newFirm()];
    const [personEmail, memberEmail] = [someAddress(), someAddress()];
    const name = `Erasable ${firm.id} Person`;
    const person = await makeUser(identity, firm, { email: personEmail, name });
    const same = await makeUser(identity, kept, { email: personEmail });
    const [owner, removed] = [await join(firm, 'owner', memberEmail), await join(firm, 'viewer')];
    const other = await join(kept, 'owner', memberEmail);
    await identity.call('DELETE', `/v1/client/staff/${removed.id}`, { as: firm.as });
    const key = { headers: { 'idempotency-key': `key-${firm.id}` }, body: { name: 'second' } };
    expect((await identity.call('POST', '/v1/client/keys', { as: firm.as, ...key })).status).toBe(201);
    await begin(firm);
    await age(firm, 29 * dayMs);
    const due = await newFirm();
    await begin(due, '--now');
    await age(due, dayMs);
    // The one that is due is erased; by then the other would have been seen, too.
    await erased(due);
    expect(await isThere(firm)).toBe(true);
    expect(await identity.db.collection<{ _id: number }>('users').findOne({ _id: person.id })).toBeTruthy();
    await age(firm, 2 * dayMs);
    await erased(firm);
    await waitFor(
      async () => (await identity.db.collection('outbox').countDocuments({ type: 'partner.deleted' })) >= 2,
      { what: 'the events' },
    );
    for (const text of [name, firm.name, removed.email]) expect(await placesOf(new RegExp(text))).toEqual([]);
    expect(await identity.db.collection('staff').countDocuments({ partner_id: firm.id })).toBe(0);
    for (const address of [personEmail, memberEmail]) {
      const rows = await identity.db.collection('users').find({ email: address }).toArray();
      expect(rows.map(({ partner_id }) => partner_id)).toEqual(address === personEmail ? [kept.id] : []);
    }
    // What names the partner still: events that identity published, for 8 days (of erased people for 400).
    const named = new RegExp(`partner_id\\\\?\\\\?":${firm.id}[,}]|partner[/:]${firm.id}"`);
    expect(await placesOf(named)).toEqual(['outbox']);
    expect((await identity.call('GET', `/v1/client/users/${same.id}`, { as: kept.as })).status).toBe(200);
    expect(await codeOf(gateway.request('identity.staff_session', { token: other.token }))).toBe('ok');
    expect(await codeOf(authenticate(firm))).toBe('invalid_api_key');
    expect(owner.id).not.toBe(other.id);
  });

  it('takes the second factors of the members, and the sign-ins that wait for one', async () => {
    const firm = await newFirm();
    const { id, token } = await join(firm, 'owner');
    await gateway.request('identity.set_up_second_factor', { token });
    const key = (await gateway.request('identity.second_factor', { token })).key?.text ?? '';
    const code = new TOTP({ secret: key }).generate();
    await gateway.request('identity.confirm_second_factor', { token, code, address });
    const rowsOf = async () => [
      await identity.db.collection<{ _id: number }>('second_factors').countDocuments({ _id: id }),
      await identity.db.collection('sign_in_steps').countDocuments({ staff_id: id }),
    ];
    expect(await rowsOf()).toEqual([1, 1]);
    await begin(firm, '--now');
    await age(firm, dayMs);
    await erased(firm);
    expect(await rowsOf()).toEqual([0, 0]);
  });

  it('takes whoever is created at the last moment, also by a transaction that ends after a first round', async () => {
    const firm = await newFirm();
    await makeUser(identity, firm);
    const calls = Array.from({ length: 20 }, (_, i) =>
      identity.call('POST', '/v1/client/users', {
        as: firm.as,
        body: { email: someAddress(), name: `Parallel ${i}` },
      }),
    );
    const { operator } = identity;
    const late = newPartnerUser({
      id: await operator.ids.next('users'),
      body: { email: someAddress(), name: 'Late' } as never,
      caller: firm.as,
      now: operator.clock.now(),
    });
    await begin(firm, '--now');
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    // 503: a call at its deadline, whose transaction may be committed.
    expect(statuses.filter((status) => ![201, 403, 503].includes(status))).toEqual([]);
    const users = () => identity.db.collection('users').countDocuments({ partner_id: firm.id });
    await waitFor(async () => (await users()) === 0, { ...patience, what: 'the first round' });
    // What a transaction leaves that read the partner before the deletion and is committed after the round.
    await transaction(operator.db, (tx) => operator.stores.users.insert(late, tx));
    expect(await users()).toBe(1);
    expect(await isThere(firm)).toBe(true);
    await age(firm, dayMs);
    await erased(firm);
    expect(await users()).toBe(0);
  });

  it('keeps no record that comes after it', async () => {
    const firm = await newFirm();
    await begin(firm, '--now');
    await age(firm, dayMs);
    await erased(firm);
    const late = {
      id: `late-${firm.id}`,
      at: new Date().toISOString(),
      partner_id: firm.id,
      actor: { kind: 'key' as const, id: firm.as.key_id, console_session_id: null },
      operation: 'list_webhooks',
      objects: [],
      count: null,
      status: 403,
      network: null,
      request_id: 'r',
    };
    await gateway.request('identity.record_refusals', { records: [late] });
    expect(await identity.db.collection('audit').countDocuments({ partner_id: firm.id })).toBe(0);
  });
});

it('the erasure of a partner goes on where a killed process stopped, and erases each person once', async () => {
  await using cleanUps = new AsyncDisposableStack();
  const servers = await startServers();
  cleanUps.defer(async () => {
    await Promise.all([servers.mongo.stop(), servers.nats.stop()]);
  });
  const first = await startTestIdentity({}, {}, servers);
  const partner = await makePartner(first, 'Killed Firm');
  const id = partner.as.partner_id;
  const people = 150;
  for (let made = 0; made < people; made += 10)
    await Promise.all(Array.from({ length: 10 }, () => makeUser(first, partner)));
  await first.stop();
  const look = await connectDatabase(servers.mongo.url('identity'));
  cleanUps.defer(() => look.close());
  const collection = (name: string) =>
    look.collection<{ _id: never; partner_id: number; type: string }>(name);
  const left = () => collection('users').countDocuments({ partner_id: id });
  const args = ['partner', 'delete', String(id), '--name', 'Killed Firm', '--now'];
  expect((await runCommand({ mongoUrl: servers.mongo.url('identity') } as TestIdentity, args)).code).toBe(0);
  const past = { $subtract: ['$deletion.requested_at', dayMs] };
  await look.collection('partners').updateOne({}, [{ $set: { 'deletion.requested_at': past } }]);

  const main = new URL('../main.ts', import.meta.url).pathname;
  const { end } = spawnProgram(main, { env: settingsAt(servers), stdio: ['ignore', 'ignore', 'inherit'] });
  await waitFor(async () => (await left()) < people, { timeoutMs: 60_000, intervalMs: 1 });
  await end('SIGKILL');
  const atKill = await left();
  expect(atKill).toBeGreaterThan(0);
  expect(atKill).toBeLessThan(people);

  const second = await startTestIdentity({}, {}, servers);
  cleanUps.defer(second.stop);
  await waitFor(async () => (await look.collection('partners').countDocuments()) === 0, {
    timeoutMs: 120_000,
    what: 'the end of the erasure',
  });
  expect(await left()).toBe(0);
  expect(await collection('outbox').countDocuments({ type: 'user.deleted' })).toBe(people);
  expect(await collection('outbox').countDocuments({ type: 'partner.deleted' })).toBe(1);
});
