import type { Bus } from '@casewatch/platform';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { admin, makePartner, someAddress, type TestPartner } from '../../test/support/people.ts';
import { someNetworkAddress } from '../../test/support/sign-in.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let gateway: Bus;
let cases: Bus;
useIdentity((started) => ({ identity, notifier, partner } = started));
beforeAll(async () => {
  [gateway, cases] = await Promise.all([
    connectAs(identity.nats, 'gateway'),
    connectAs(identity.nats, 'cases'),
  ]);
  cases.serve('cases.count', async () => ({ cases: 0, active_cases: 0 }));
  await cases.connection.flush();
});
afterAll(async () => {
  await Promise.all([gateway.stop(), cases.stop()]);
});

/** A member who is signed in. */
async function join(of = partner) {
  const email = someAddress();
  const body = { email, name: 'A Member', role: 'viewer' };
  const { body: answer } = await identity.call('POST', '/v1/client/staff', { as: of.as, body });
  const { id } = answer.staff_member as { id: number };
  await identity.db.collection('staff').updateOne({ _id: id as never }, { $set: { status: 'active' } });
  const { request_id } = await gateway.request('identity.request_staff_code', {
    email,
    address: someNetworkAddress(),
  });
  const code = await waitFor(
    () =>
      notifier.sent.flatMap((mail) =>
        mail.kind === 'login_code' && mail.to === email ? [mail.code] : [],
      )[0],
  );
  const { session } = await gateway.request('identity.staff_sign_in', {
    ...{ email, code, request_id, partner_id: null, address: someNetworkAddress() },
    browser: 'Firefox on Linux',
  });
  return { id, token: session?.token ?? '' };
}

const change = async (token: string, action: 'create' | 'end') =>
  (await gateway.request('identity.change_calendar', { token, action, address: '203.0.113.7' })).secret;
const create = async (token: string) => (await change(token, 'create')) ?? '';
const own = async (token: string) => await gateway.request('identity.own_calendar', { token });
const since = async (token: string) => (await own(token)).created_at;
const opens = async (secret: string) => (await gateway.request('identity.calendar', { secret })).member;

describe('the address of a calendar', () => {
  it('is not there until the member makes it, and opens the calendar of this member', async () => {
    const { id, token } = await join();
    expect(await since(token)).toBeNull();
    const secret = await create(token);
    // 256 bits as base64url.
    expect(secret).toMatch(/^[\w-]{43}$/);
    const opened = await opens(secret);
    expect(opened).toMatchObject({ partner_id: partner.as.partner_id, staff_id: id });
    // Whose cases are somebody's.
    const active = await identity.db
      .collection('staff')
      .find({ partner_id: partner.as.partner_id, status: 'active', removed_at: null })
      .toArray();
    expect(opened?.active_ids?.toSorted()).toEqual(active.map(({ _id }) => Number(_id)).toSorted());
    expect(opened?.active_ids).toContain(id);
    expect(await since(token)).toMatch(/Z$/);
  });

  it('is stored as a keyed hash alone', async () => {
    const { id, token } = await join();
    const secret = await create(token);
    const row = await identity.db.collection('calendar_addresses').findOne({ _id: id as never });
    expect(row?.secret_mac).toMatch(/^[\w-]{43}$/);
    const collections = await identity.db.listCollections().toArray();
    expect(collections.map(({ name }) => name)).toContain('calendar_addresses');
    for (const { name } of collections) {
      const rows = await identity.db.collection(name).find().toArray();
      expect([name, JSON.stringify(rows).includes(secret)]).toEqual([name, false]);
    }
  });

  it('ends when another one takes its place, and when the member ends it', async () => {
    const { token } = await join();
    const first = await create(token);
    const second = await create(token);
    expect(second).not.toBe(first);
    expect(await opens(first)).toBeNull();
    expect(await opens(second)).not.toBeNull();
    expect(await change(token, 'end')).toBeNull();
    expect([await opens(second), await since(token)]).toEqual([null, null]);
    // An end of nothing is no error.
    expect(await change(token, 'end')).toBeNull();
  });

  it.each(['', 'DELETE', 'disabled'])('opens for nobody else, and ends with the member: %s', async (how) => {
    const { id, token } = await join();
    const other = await join();
    const [secret, kept] = [await create(token), await create(other.token)];
    const path = `/v1/client/staff/${id}`;
    if (how === 'DELETE') await identity.call('DELETE', path, { as: partner.as });
    else if (how === 'disabled')
      await identity.call('PUT', path, { as: partner.as, body: { status: 'disabled' } });
    expect(await opens(secret)).toEqual(
      how === '' ? expect.objectContaining({ partner_id: partner.as.partner_id, staff_id: id }) : null,
    );
    expect(await opens(kept)).toMatchObject({ staff_id: other.id });
    // A member who comes back finds it again; of one who is removed nothing stays.
    const row = await identity.db.collection('calendar_addresses').findOne({ _id: id as never });
    expect(row === null).toBe(how === 'DELETE');
    for (const unknown of ['x', 'x'.repeat(43), secret.slice(1), `${secret}=`])
      expect(await opens(unknown)).toBeNull();
  });

  it('stays of no member who is removed while it is made', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, () => join()));
    await Promise.all(
      members.flatMap(({ id, token }) => [
        create(token).catch((error: { code?: string }) => error.code),
        identity.call('DELETE', `/v1/client/staff/${id}`, { as: partner.as }),
      ]),
    );
    const ids = members.map(({ id }) => id as never);
    const removed = { _id: { $in: ids }, removed_at: { $ne: null } };
    // A removal that met the other change is asked for again.
    for (const { id } of members) await identity.call('DELETE', `/v1/client/staff/${id}`, { as: partner.as });
    expect(await identity.db.collection('staff').countDocuments(removed)).toBe(members.length);
    const addresses = identity.db.collection('calendar_addresses');
    expect(await addresses.countDocuments({ _id: { $in: ids } })).toBe(0);
  });

  it('does not open while the partner is suspended', async () => {
    const firm = await makePartner(identity, 'Suspended Firm');
    const { token } = await join(firm);
    const secret = await create(token);
    await admin(identity, 'partner', 'suspend', '--partner', String(firm.as.partner_id));
    expect(await opens(secret)).toBeNull();
  });

  it('needs a session of the member', async () => {
    for (const token of ['x', 'a.b.c'])
      await expect(create(token)).rejects.toMatchObject({ code: 'console_session_ended' });
  });

  it('is forbidden by the setting of an owner, which ends all that there are, for good', async () => {
    const firm = await makePartner(identity, 'Strict Firm');
    const { token } = await join(firm);
    const others = await join();
    const [secret, kept] = [await create(token), await create(others.token)];
    const put = (calendar_addresses: boolean) =>
      identity.call('PUT', '/v1/client/profile', { as: firm.as, body: { calendar_addresses } });
    expect(await put(false)).toMatchObject({ status: 200, body: { client: { calendar_addresses: false } } });
    expect(await opens(secret)).toBeNull();
    expect(await opens(kept)).not.toBeNull();
    await expect(create(token)).rejects.toMatchObject({ code: 'insufficient_role' });
    expect(await own(token)).toEqual({ created_at: null, is_allowed: false });
    expect((await own(others.token)).is_allowed).toBe(true);
    await put(true);
    expect(await opens(secret)).toBeNull();
    expect(await opens(await create(token))).not.toBeNull();
  });

  it('is recorded when it is made and ended, without the secret', async () => {
    const { id, token } = await join();
    await create(token);
    await change(token, 'end');
    await change(token, 'end');
    const rows = await identity.db
      .collection('audit')
      .find({ actor: `staff:${id}` })
      .toArray();
    const acts = rows.map(({ operation }) => operation).filter((name) => name.includes('calendar'));
    expect(acts.sort()).toEqual(['create_calendar_address', 'end_calendar_address']);
  });
});
