import { randomUUID } from 'node:crypto';
import { type AuditRecord, type OperationName, operations, type Principal } from '@casewatch/contracts';
import { acted, ApiError } from '@casewatch/platform';
import { outboxModel, transaction } from '@casewatch/platform/database';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordCall } from '../src/audit/record-call.ts';
import type { Base } from '../src/process/foundation.ts';
import { startBases, type TestBases } from './support/start-bases.ts';

const key: Principal = { kind: 'partner', partner_id: 1, key_id: '4', scopes: [] };
const member: Principal = { ...key, key_id: '', staff_id: 9, role: 'owner' };

describe('the record of a call', () => {
  let bases: TestBases;
  let cases: Base<'cases'>;
  beforeAll(async () => {
    bases = await startBases();
    cases = await bases.base('cases');
  });
  afterAll(async () => await bases.stop());

  const things = () => cases.db.collection<{ _id: number; n: number }>('things');
  const run = (
    name: OperationName,
    handle: () => Promise<object>,
    {
      principal = key as Principal,
      address = '203.0.113.77',
      params = {},
      query = {},
      at = '2026-11-28T10:00:00Z',
    } = {},
  ) =>
    recordCall(
      {
        row: { name, ...operations[name] },
        signed: { principal, address },
        params,
        query,
        audit: cases.audit,
        now: new Date(at),
      },
      handle,
    );
  async function recordsOf(operation: string): Promise<AuditRecord[]> {
    const rows = await outboxModel(cases.db).find({ type: 'cases.audited' }).lean();
    const all = rows.flatMap(({ body }) => JSON.parse(body).data.records as AuditRecord[]);
    return all.filter((record) => record.operation === operation);
  }
  /** The collections that the transaction with the record wrote, as the log of the database has it. */
  async function collectionsWrittenWith(operation: string): Promise<string[]> {
    const oplog = cases.db.getClient().db('local').collection('oplog.rs');
    const body = new RegExp(`"operation":"${operation}"`);
    const row = { ns: `${cases.db.name}.outbox`, 'o.body': body };
    const entry = await oplog.findOne({ 'o.applyOps': { $elemMatch: row } });
    const written: { ns: string }[] = entry?.o.applyOps ?? [];
    return written.map(({ ns }) => ns.split('.').at(-1) ?? '');
  }
  const change = (id: number, fails = false) =>
    transaction(cases.db, async (session) => {
      await things().updateOne({ _id: id }, { $inc: { n: 1 } }, { upsert: true, session });
      acted('case', id);
      if (fails) throw new ApiError('case_not_found');
      return {};
    });

  it('of an effect is in the transaction of the effect', async () => {
    await run('update_case', () => change(1), { principal: member, params: { user_id: 5, case_ref: 'x' } });
    expect(await recordsOf('update_case')).toEqual([
      {
        id: expect.any(String),
        at: '2026-11-28T10:00:00.000Z',
        partner_id: 1,
        actor: { kind: 'staff', id: '9', console_session_id: null },
        operation: 'update_case',
        objects: [
          { kind: 'case', id: '1' },
          { kind: 'user', id: '5' },
        ],
        count: null,
        status: 200,
        network: '203.0.113.0/24',
        request_id: expect.stringMatching(/^req_/),
      },
    ]);
    expect(await collectionsWrittenWith('update_case')).toEqual(expect.arrayContaining(['things', 'outbox']));
  });

  it('of a change that failed is not there, as the change is not', async () => {
    await expect(run('delete_case', () => change(2, true))).rejects.toThrow();
    expect([await recordsOf('delete_case'), await things().findOne({ _id: 2 })]).toEqual([[], null]);
  });

  it('of a call that changed nothing is not there', async () => {
    await run('update_partner_case', () => transaction(cases.db, async () => ({})));
    expect(await recordsOf('update_partner_case')).toEqual([]);
  });

  it('is one, of a transaction that ran again after a conflict and of two transactions', async () => {
    let attempts = 0;
    await run('delete_partner_case', async () => {
      await transaction(cases.db, async (session) => {
        attempts += 1;
        await things().findOne({ _id: 3 }, { session });
        if (attempts === 1) await things().updateOne({ _id: 3 }, { $inc: { n: 1 } }, { upsert: true });
        await things().updateOne({ _id: 3 }, { $inc: { n: 1 } }, { upsert: true, session });
        acted('case', 3);
      });
      return await change(3);
    });
    expect(attempts).toBeGreaterThan(1);
    expect(await recordsOf('delete_partner_case')).toHaveLength(1);
  });

  it('of what only acts outside is stored before the answer', async () => {
    await run('check', async () => ({ body: {} }));
    expect(await recordsOf('check')).toMatchObject([{ status: 200, objects: [] }]);
  });

  it('of a read has the number of rows of a list, or the id of an object, soon after the answer', async () => {
    await run('list_partner_cases', async () => ({ body: { cases: [{}, {}], has_more: false } }));
    await run('get_partner_case', async () => {
      acted('case', 12);
      return { body: { case: {} } };
    });
    await waitFor(async () => (await recordsOf('get_partner_case')).length > 0, { what: 'the record' });
    expect(await recordsOf('list_partner_cases')).toMatchObject([{ count: 2, objects: [] }]);
    expect(await recordsOf('get_partner_case')).toMatchObject([
      { count: null, objects: [{ kind: 'case', id: '12' }] },
    ]);
  });

  it('of a refusal says that it was refused', async () => {
    const refused = run('review_changes', () => Promise.reject(new ApiError('insufficient_role')));
    await expect(refused).rejects.toThrow();
    await waitFor(async () => (await recordsOf('review_changes')).length > 0, { what: 'the record' });
    expect(await recordsOf('review_changes')).toMatchObject([{ status: 403, objects: [] }]);
  });

  it('is not made for people without a partner, nor of what people read of their own', async () => {
    const person = { kind: 'user', user_id: 7, session_id: 's', signed_in_at: 0 } as const;
    await run('create_case', () => change(4), { principal: { ...person, partner_id: null } });
    await run('get_case', async () => ({ body: {} }), { principal: { ...person, partner_id: 1 } });
    await run('create_case', () => change(5), {
      principal: { ...person, partner_id: 1 },
      address: '2001:db8:1:2::3',
    });
    expect(await recordsOf('create_case')).toMatchObject([
      {
        actor: { kind: 'person', id: '7' },
        network: '2001:db8:1::/48',
        objects: [{ kind: 'case', id: '5' }],
      },
    ]);
    expect(await recordsOf('get_case')).toEqual([]);
  });

  describe('of a page that is open', () => {
    const session = { session_id: 's-1', actor: 'Olivia Owens' };
    const atPage: Principal = { ...member, console: session };
    const read = (name: OperationName, body: object, options: Parameters<typeof run>[2] = {}) =>
      run(name, async () => ({ body }), { principal: atPage, ...options });
    const minute = (n: number) => ({ at: new Date(Date.UTC(2026, 10, 28, 10, n)).toISOString() });

    /** How many records there are when all that was queued before is stored: the queue keeps its order. */
    async function settled(operation: string): Promise<number> {
      const marks = (await recordsOf('list_suppressions')).length;
      await run('list_suppressions', async () => ({ body: {} }));
      await waitFor(async () => (await recordsOf('list_suppressions')).length > marks, { what: 'a record' });
      return (await recordsOf(operation)).length;
    }

    it('is one, as long as the page asks for the same and gets the same', async () => {
      const row = (last_checked: string) => ({ changes: [{ id: 1, user: 'Ana', case: { last_checked } }] });
      for (let n = 0; n < 10; n += 1)
        await read('list_changes', { ...row(`2026-11-28 10:0${n}:00`), next_cursor: `c${n}` }, minute(n));
      expect(await settled('list_changes')).toBe(1);
    });

    it('is another one of another answer, object, filter or session, and after a pause', async () => {
      const body = { users: [{ name: 'Ana' }] };
      await read('list_partner_users', body);
      await read('list_partner_users', { users: [{ name: 'Ana' }, { name: 'Bo' }] });
      await read('list_partner_users', body);
      await read('list_partner_users', body, { query: { status: 'active' } });
      await read('list_partner_users', body, {
        principal: { ...atPage, console: { ...session, session_id: 's-2' } },
      });
      await read('list_partner_users', body, minute(4));
      await read('list_partner_users', body, minute(10));
      expect(await settled('list_partner_users')).toBe(5);
      for (const user_id of [5, 6, 5]) await read('get_partner_user', { user: {} }, { params: { user_id } });
      expect(await settled('get_partner_user')).toBe(2);
    });

    it('is one for each read of a key, and of everything that is no read', async () => {
      for (let n = 0; n < 3; n += 1) {
        await read('list_assignees', { assignees: [] }, { principal: key });
        await read('export_changes', {});
      }
      expect([await settled('list_assignees'), await settled('export_changes')]).toEqual([3, 3]);
    });
  });

  it('that waits is stored when the service stops', async () => {
    const base = await bases.base('cases');
    base.audit?.later({
      ...(await recordsOf('check'))[0],
      id: randomUUID(),
      operation: 'last',
    } as AuditRecord);
    await base.stop();
    expect(await recordsOf('last')).toHaveLength(1);
  });
});
