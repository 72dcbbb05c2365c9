import { NotYetError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, notification, statusUpdated, user } from '../../test/support/fixtures.ts';
import { delivery, givenCase, openContext } from '../../test/support/open-context.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';
import type { Context } from '../context.ts';
import { onNotificationUpdated } from './notification-updated.ts';
import { onStatusTouched } from './status-touched.ts';
import { onStatusUpdated } from './status-updated.ts';

const first = '2026-11-22T10:00:00.000Z';
const second = '2026-11-24T10:00:00.000Z';

describe('status.touched', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let userId = 0;
  let made: CaseInEvent;
  const find = (id: number) => ctx.stores.statusUpdates.find(id);
  const row = async () => await ctx.stores.cases.find(made.id);
  const baselineId = async () => (await row())?.latest_update?.id ?? 0;
  const touch = (status_update_id: number, touched_at = first, case_id = made.id) =>
    onStatusTouched(ctx)({ touched_at, updates: [{ case_id, status_update_id }] }, delivery);

  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());
  beforeEach(async () => {
    userId += 1;
    made = await givenCase(ctx, userId);
  });

  it('sets touched_at of the update and of the case, and moves nothing else', async () => {
    const [before, id] = [await row(), await baselineId()];
    const update = await find(id);
    await touch(id);
    expect(await find(id)).toEqual({ ...update, touched_at: new Date(first) });
    const latest_update = { ...before?.latest_update, touched_at: new Date(first) };
    expect(await row()).toEqual({ ...before, latest_update });
  });

  it('keeps the latest time, in any order and however often it comes', async () => {
    const id = await baselineId();
    for (const at of [second, first, second, first]) await touch(id, at);
    expect((await find(id))?.touched_at).toEqual(new Date(second));
    expect((await row())?.latest_update?.touched_at).toEqual(new Date(second));
  });

  it('of an update that another one followed is not shown as of the latest', async () => {
    const id = await baselineId();
    const approved = statusUpdated(made);
    await onStatusUpdated(ctx)(approved, delivery);
    await touch(id);
    expect((await find(id))?.touched_at).toEqual(new Date(first));
    expect((await row())?.latest_update).toMatchObject({ id: approved.status_update.id, touched_at: null });
  });

  it('waits for an update that has not come, also where a notification came first, and touches the others', async () => {
    const other = await givenCase(ctx, ++userId);
    const otherId = (await ctx.stores.cases.find(other.id))?.latest_update?.id ?? 0;
    const approved = statusUpdated(made);
    const { id } = approved.status_update;
    await onNotificationUpdated(ctx)(notification(made, id), delivery);
    const updates = [
      { case_id: made.id, status_update_id: id },
      { case_id: other.id, status_update_id: otherId },
    ];
    const both = () => onStatusTouched(ctx)({ touched_at: first, updates }, delivery);
    await expect(both()).rejects.toThrow(NotYetError);
    expect((await find(otherId))?.touched_at).toEqual(new Date(first));
    await onStatusUpdated(ctx)(approved, delivery);
    await both();
    expect((await find(id))?.touched_at).toEqual(new Date(first));
    expect((await row())?.latest_update).toMatchObject({ id, touched_at: new Date(first) });
    // The update's event once more does not take it back.
    await onStatusUpdated(ctx)(approved, delivery);
    expect((await row())?.latest_update?.touched_at).toEqual(new Date(first));
  });

  it('of a case that is gone is done, and brings nothing of it back', async () => {
    await touch(123_456_789, first, 987_654_321);
    expect(await find(123_456_789)).toBeNull();
  });

  it('of 500 cases is two commands that write', async () => {
    const updates = Array.from({ length: 500 }, (_, i) => ({
      case_id: 5_000_000 + i,
      status_update_id: 6_000_000 + i,
    }));
    const shared = { observation: 1, touched_at: null } as never;
    const rows = updates.map(({ case_id, status_update_id: _id }) => ({ _id, case_id, observation: 1 }));
    await ctx.db.collection<{ _id: number }>('status_updates').insertMany(rows);
    const cases = updates.map(({ case_id: _id, status_update_id: id }) => ({
      _id,
      user_id: _id,
      active: false,
      latest_update: { id, ...(shared as object) },
    }));
    await ctx.db.collection<{ _id: number }>('cases').insertMany(cases);
    await ctx.db.db?.command({ profile: 2 });
    await onStatusTouched(ctx)({ touched_at: first, updates }, delivery);
    await ctx.db.db?.command({ profile: 0 });
    const profile = ctx.db.collection('system.profile');
    expect(await profile.countDocuments({ op: 'update' })).toBe(2);
    const touched = { 'latest_update.touched_at': new Date(first), _id: { $gte: 5_000_000 } };
    expect(await ctx.db.collection<{ _id: number }>('cases').countDocuments(touched)).toBe(500);
  });
});

describe('a touched case', () => {
  let cases: Cases;
  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
  });
  afterAll(() => cases.stop());

  type Listed = { id: number; update_count: number; latest_update: Record<string, unknown> };
  const list = async (query = '') =>
    (await cases.call('GET', `/v1/client/cases?${query}`)).body.cases as Listed[];

  it('shows it wherever its latest update stands, at once, and is not listed as updated', async () => {
    const body = { receipt_number: 'EAC9999103403', description: '', uscis_access_acknowledged: true };
    const { body: made } = await cases.call('POST', '/v1/client/users/1/cases', { body });
    const { id, latest_update } = made.case as Listed;
    expect(latest_update).toMatchObject({ kind: 'baseline', changes: [], touched_at: null });
    // The text of the list is kept from now on.
    expect((await list())[0]?.latest_update).toMatchObject({ id: latest_update.id, touched_at: null });
    const status_update_id = Number(latest_update.id);
    const since = new Date(Date.now() + 1).toISOString();
    await cases.monitor.publish('status.touched', {
      touched_at: first,
      updates: [{ case_id: id, status_update_id }],
    });
    const touched = await waitFor(async () => {
      const [row] = await list();
      return row?.latest_update.touched_at ? row : null;
    });
    expect(touched).toMatchObject({ update_count: 1, latest_update: { touched_at: '2026-11-22 10:00:00' } });
    const one = (await cases.call('GET', `/v1/client/cases/${id}`)).body;
    expect(one).toMatchObject({
      update_count: 1,
      case: { latest_update: { touched_at: '2026-11-22 10:00:00' } },
      status_updates: [{ id: status_update_id, touched_at: '2026-11-22 10:00:00' }],
    });
    expect(await list(`updated_since=${since}`)).toEqual([]);
  });
});
