import { type FailingMongo, startFailingMongo, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

/** The connections that background work has. */
const connections = 20;
/** Of each of two streams: more than those. */
const people = 20;

describe('a backlog of events whose writes hang', () => {
  let mongo: FailingMongo;
  let cases: Cases;
  beforeAll(async () => {
    mongo = await startFailingMongo();
    cases = await startTestCases({ MONGODB_URL: mongo.url('cases') });
  });
  afterAll(async () => {
    await cases.stop();
    await mongo.stop();
  });

  async function create(userId: number): Promise<CaseInEvent> {
    cases.users.set(userId, user(userId));
    const body = { receipt_number: receipt(userId), uscis_access_acknowledged: true };
    const reply = await cases.call('POST', `/v1/client/users/${userId}/cases`, { body });
    const { id, user_case_id, receipt_number } = reply.body.case as CaseInEvent;
    return { id, user_case_id, receipt_number, user_id: userId, partner_id: 1 };
  }

  it('holds up no read, no question of a service and no lease, and loses nothing', async () => {
    const made: CaseInEvent[] = [];
    for (let userId = 1; userId <= 2 * people; userId++) made.push(await create(userId));
    const changed = made.slice(0, people);
    const [first = 0] = made.map(({ id }) => id);
    const leases = cases.db.collection<{ _id: string; until: Date; fence: number }>('leases');
    const lease = () => leases.findOne({ _id: 'relay' });
    const held = await waitFor(lease, { what: 'the lease' });
    const data = { failCommands: ['insert', 'update', 'commitTransaction'], blockConnection: true };
    await mongo.failPoint('failCommand', 'alwaysOn', { ...data, blockTimeMS: 5_000 });
    try {
      for (const of of changed) await cases.monitor.publish('status.updated', statusUpdated(of));
      for (const { user_id } of made.slice(people)) {
        const ending = { user_id, partner_id: 1, status: 'inactive', version: 2 } as const;
        await cases.identity.publish('user.updated', ending);
      }
      const entered = { waitForFailPoint: 'failCommand', timesEntered: connections, maxTimeMS: 60_000 };
      await mongo.command(entered);

      const reads = Array.from({ length: 10 }, () =>
        cases.call('GET', `/v1/users/1/cases/${first}`, { as: partner() }),
      );
      for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
      const question = { case_ids: changed.map(({ id }) => id) };
      const { case_ids } = await cases.notifier.bus.request('cases.active', question);
      expect(case_ids).toHaveLength(people);
      const isRenewed = async () => ((await lease())?.until ?? new Date(0)) > held.until;
      await waitFor(isRenewed, { what: 'the renewal of the lease', timeoutMs: 20_000 });
      expect((await lease())?.fence).toBe(held.fence);
    } finally {
      await mongo.failPoint('failCommand', 'off');
    }
    const stored = () => cases.db.collection('status_updates').countDocuments({ observation: 2 });
    await waitFor(async () => (await stored()) === people, { what: 'the updates', timeoutMs: 60_000 });
  });
});
