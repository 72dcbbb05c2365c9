import type { Bus } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAdmin } from '../../src/admin/admin-context.ts';
import { admin, makePartner } from '../support/people.ts';
import { pepper, startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

let identity: TestIdentity;
let gateway: Bus;

beforeAll(async () => {
  identity = await startTestIdentity();
  gateway = await connectAs(identity.nats, 'gateway');
});
afterAll(async () => {
  await gateway.stop();
  await identity.stop();
});

const ask = (since: number | null) => gateway.request('identity.revocations', { since });

/** Suspends and reactivates a new partner: two revocations. */
async function revokeTwice(): Promise<string> {
  const { as } = await makePartner(identity, 'Firm');
  const id = String(as.partner_id);
  await admin(identity, 'partner', 'suspend', '--partner', id);
  await admin(identity, 'partner', 'reactivate', '--partner', id);
  return id;
}

describe('asking what was revoked', () => {
  it('says how far it is, and what changed since', async () => {
    const { revision } = await ask(null);
    const id = await revokeTwice();
    expect(await ask(null)).toEqual({ revision: revision + 2, changes: [], now: expect.any(String) });
    expect(await ask(revision + 2)).toEqual({ revision: revision + 2, changes: [], now: expect.any(String) });
    expect(await ask(revision + 1)).toEqual({
      revision: revision + 2,
      changes: [{ kind: 'partner', id }],
      now: expect.any(String),
    });
  });

  it('says that everything may have changed where it cannot tell', async () => {
    await revokeTwice();
    const { revision } = await ask(null);
    // A gateway that knows more than the database was there before somebody put that back to an earlier state.
    expect(await ask(revision + 5)).toEqual({ revision, changes: null, now: expect.any(String) });
    await identity.db.collection('revocations').deleteOne({ _id: revision as never });
    expect(await ask(revision - 2)).toEqual({ revision, changes: null, now: expect.any(String) });
  });

  it('numbers without a gap whatever happens at the same time', async () => {
    const { revision } = await ask(null);
    const { ctx, close } = await openAdmin({
      NODE_ENV: 'test',
      MONGODB_URL: identity.mongoUrl,
      SECRET_PEPPER: pepper,
    });
    const ids = Array.from({ length: 10 }, (_, i) => `session-${i}`);
    const add = (id: string) =>
      transaction(ctx.db, (session) => ctx.stores.revocations.add(session, { kind: 'session', id }));
    // Each conflicts with all others; on a busy machine one may give up, and then has left nothing.
    const settled = await Promise.allSettled(ids.map(add));
    await close();
    const added = ids.filter((_, i) => settled[i]?.status === 'fulfilled');
    expect(added.length).toBeGreaterThan(0);
    const { changes, revision: after } = await ask(revision);
    expect(after).toBe(revision + added.length);
    expect(changes?.map(({ id }) => id).sort()).toEqual(added);
  });

  it('is announced, again and again', async () => {
    const heard: number[] = [];
    const times: number[] = [];
    gateway.subscribe('revocations.announced', async ({ revision, now = '' }) => {
      heard.push(revision);
      times.push(Date.parse(now) - Date.now());
    });
    await revokeTwice();
    const { revision, now = '' } = await ask(null);
    // With the time, which gateways follow.
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(30_000);
    await waitFor(() => heard.filter((value) => value === revision).length >= 3, { timeoutMs: 30_000 });
    for (const difference of times) expect(Math.abs(difference)).toBeLessThan(30_000);
  });
});
