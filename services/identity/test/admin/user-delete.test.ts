import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, makePartner, makeUser, runCommand } from '../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

describe('user delete', () => {
  it('deletes as the interface does, with the event, and leaves out ids that are unknown', async () => {
    const partner = await makePartner(identity, 'Law Firm');
    const [gone, kept] = [await makeUser(identity, partner), await makeUser(identity, partner)];
    const again = () => admin(identity, 'user', 'delete', '--users', `${gone.id},999999`);
    expect(await again()).toEqual({ deleted: [gone.id], unknown: [999_999] });
    expect(await again()).toEqual({ deleted: [], unknown: [gone.id, 999_999] });

    const read = async (id: number) =>
      (await identity.call('GET', `/v1/client/users/${id}`, { as: partner.as })).status;
    expect([await read(gone.id), await read(kept.id)]).toEqual([404, 200]);
    const rows = await identity.db.collection('outbox').find({ type: 'user.deleted' }).toArray();
    expect(rows.map(({ body }) => JSON.parse(body).data)).toEqual([
      { user_id: gone.id, partner_id: partner.as.partner_id, version: 2 },
    ]);
  });

  it('takes ids alone', async () => {
    const { code, err } = await runCommand(identity, ['user', 'delete', '--users', '7,all']);
    expect(code).toBe(2);
    expect(err).toContain('--users must be user ids with commas between them, such as 7,8');
  });
});
