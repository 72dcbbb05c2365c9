import { startMongo, startNats, type TestMongo, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { startTestNotifier, type TestNotifier } from '../support/notifier.ts';
import { makePartner, makeUser, type TestPartner, type WireUser } from '../support/people.ts';
import { signIn, someNetworkAddress } from '../support/sign-in.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

/** Every address of these tests, so that the log can be searched for them. */
const domain = 'in-no-log.example';

let mongo: TestMongo;
let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let stopServers: () => Promise<void>;

beforeAll(async () => {
  mongo = await startMongo({ own: true });
  const nats = await startNats();
  stopServers = async () => {
    await Promise.all([mongo.stop(), nats.stop()]);
  };
  await command({ profile: 0, slowms: 600_000 });
  identity = await startTestIdentity({ RATE_LIMIT_SCALE: '100' }, {}, { mongo, nats });
  notifier = await startTestNotifier(nats);
  partner = await makePartner(identity, 'Law Firm');
});
afterAll(async () => {
  await notifier.stop();
  await identity.stop();
  await stopServers();
});

/** Of the server: slow commands, which it logs with all their values, are the operator's setting. */
async function command(document: Record<string, unknown>): Promise<Record<string, unknown>> {
  const connection = await mongoose.createConnection(mongo.url('identity')).asPromise();
  try {
    return (await connection.db?.admin().command(document)) ?? {};
  } finally {
    await connection.close();
  }
}

const logLines = async () => (await command({ getLog: 'global' })).log as string[];
const linesWith = async (text: string) => (await logLines()).filter((line) => line.includes(text));
const move = ({ id }: WireUser, email: string) =>
  identity.call('PUT', `/v1/client/users/${id}`, { as: partner.as, body: { email } });
const create = (email: string) =>
  identity.call('POST', '/v1/client/users', { as: partner.as, body: { email, name: 'Ana Silva' } });
const atOnce = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

describe('an address that is taken stands in no line of the database server', () => {
  it('after a creation, later or immediately', async () => {
    const email = `created@${domain}`;
    expect((await create(email)).status).toBe(201);
    expect((await create(email.toUpperCase())).body.code).toBe('email_already_exists');
    const statuses = (await atOnce(6, () => create(`created.at.once@${domain}`))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(await linesWith(domain)).toEqual([]);
  });

  it('after a change of address, later or immediately', async () => {
    const email = `moved@${domain}`;
    const [first, second, third] = await atOnce(3, () => makeUser(identity, partner));
    expect((await move(first as WireUser, email)).status).toBe(200);
    expect((await move(second as WireUser, email)).body.code).toBe('email_already_exists');
    const target = `moved.at.once@${domain}`;
    const both = await Promise.all([second, third].map((user) => move(user as WireUser, target)));
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await linesWith(domain)).toEqual([]);
  });

  it('after concurrent sign-ups', async () => {
    const email = `sign.up@${domain}`;
    const signUp = () =>
      identity.call('POST', '/v1/users', {
        body: { email, name: 'Ana Silva' },
        address: someNetworkAddress(),
      });
    const replies = await atOnce(4, signUp);
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    await waitFor(async () => {
      const filter = { email_lower: email, 'delivery.status': 'queued' };
      return (await identity.db.collection('address_requests').countDocuments(filter)) === 0;
    });
    expect(await identity.db.collection('users').countDocuments({ email_lower: email })).toBe(1);
    expect(await linesWith(domain)).toEqual([]);
  });

  it('after an undoing that comes too late', async () => {
    const email = `undone@${domain}`;
    const user = await makeUser(identity, partner, { email });
    await signIn(identity, notifier, user);
    await move(user, `undone.elsewhere@${domain}`);
    const mail = await waitFor(() =>
      notifier.sent.find(({ kind, to }) => kind === 'address_changed' && to === email),
    );
    const token = new URL('link' in mail ? mail.link : '').searchParams.get('token');
    expect((await create(email)).status).toBe(201);
    const undo = await identity.call('POST', '/v1/users/undo-email-change', { body: { token } });
    expect(undo.body.code).toBe('email_already_exists');
    expect(await linesWith(domain)).toEqual([]);
  });

  it('although the server would write one: the search finds what the index itself refuses', async () => {
    const email = `refused.by.the.index@control.example`;
    const [first, second] = await atOnce(2, () => makeUser(identity, partner));
    const rows = identity.db.collection<{ _id: number }>('users');
    await rows.updateOne({ _id: first?.id ?? 0 }, { $set: { email_lower: email } });
    const change = { $set: { email_lower: email } };
    await expect(rows.findOneAndUpdate({ _id: second?.id ?? 0 }, change)).rejects.toThrow('E11000');
    expect(await linesWith(email)).not.toEqual([]);
  });
});
