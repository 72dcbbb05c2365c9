import { type CreatedCase, operations, type Principal } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('GET /v1/client/cases/{case_ref}/acknowledgements', () => {
  let cases: Cases;
  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());

  const caller: Principal = {
    kind: 'partner',
    partner_id: 1,
    key_id: '12',
    scopes: ['cases:read', 'cases:write'],
  };
  const get = (id: number, as: Principal = caller) =>
    cases.call('GET', `/v1/client/cases/${id}/acknowledgements`, { as });

  it('says who acknowledged the access, when, and which text; to the partner of the case alone', async () => {
    cases.users.set(1, user(1));
    const body = { receipt_number: receipt(1), uscis_access_acknowledged: true };
    const answer = await cases.call('POST', '/v1/client/users/1/cases', { as: caller, body });
    const { id, uscis_access_acknowledged_at, uscis_access_ack_version } = answer.body.case as CreatedCase;
    const shown = await get(id);
    expect(shown.status).toBe(200);
    const { acknowledgements } = operations.list_acknowledgements.success.body.parse(shown.body);
    expect(acknowledgements).toEqual([
      {
        version: uscis_access_ack_version,
        acknowledged_at: uscis_access_acknowledged_at.slice(0, 19).replace('T', ' '),
        acknowledged_by: 'partner',
        key_id: 12,
        staff_member: null,
        import: null,
      },
    ]);
    expect(await get(id, partner(2))).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
  });

  it('keeps the version of the text that was read, beside cases that read the text of today', async () => {
    cases.users.set(2, user(2));
    const add = async (number: number) => {
      const body = { receipt_number: receipt(number), uscis_access_acknowledged: true };
      return (await cases.call('POST', '/v1/client/users/2/cases', { as: caller, body })).body
        .case as CreatedCase;
    };
    const [old, today] = [await add(2), await add(3)];
    const before = { $set: { version: '2026-01', uscis_access_ack_version: '2026-01' } };
    await cases.db.collection('acknowledgements').updateOne({ case_id: old.id }, before);
    await cases.call('PUT', `/v1/client/users/2/cases/${old.id}`, { as: caller, body: { description: 'x' } });
    const versions = [old, today].map(async ({ id }) => (await get(id)).body.acknowledgements);
    expect(await Promise.all(versions)).toMatchObject([[{ version: '2026-01' }], [{ version: '2026-11' }]]);
  });
});
