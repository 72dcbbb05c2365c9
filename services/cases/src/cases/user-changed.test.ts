import type { UserStatus } from '@casewatch/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { givenCase, openContext, outboxOf } from '../../test/support/open-context.ts';
import type { Context } from '../context.ts';
import { onUserChanged } from './people.ts';

describe('user.created, user.updated, user.email_verified', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let userId = 0;
  const hear = (version: number, status: UserStatus) =>
    onUserChanged(ctx)({ user_id: userId, partner_id: 1, version, status });
  const watched = async () =>
    (await ctx.stores.cases.someOfUser(userId, { limit: 1_000 })).map((row) => [row.watched, row.version]);

  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());
  beforeEach(() => {
    userId += 1;
  });

  it('remembers a user without cases', async () => {
    await hear(1, 'active');
    expect(await ctx.stores.userStates.find(userId)).toMatchObject({
      version: 1,
      status: 'active',
      active_cases: 0,
    });
  });

  it('ends and begins the watching of all active cases, telling each change once', async () => {
    const made = await givenCase(ctx, userId);
    await givenCase(ctx, userId);
    await hear(2, 'inactive');
    expect(await watched()).toEqual([
      [false, 2],
      [false, 2],
    ]);
    await hear(2, 'inactive');
    await hear(3, 'suspended');
    expect(await watched()).toEqual([
      [false, 2],
      [false, 2],
    ]);
    await hear(4, 'active');
    expect(await watched()).toEqual([
      [true, 3],
      [true, 3],
    ]);
    const told = (await outboxOf(ctx)).filter(
      ({ type, data }) => type === 'case.updated' && (data.case as { id: number }).id === made.id,
    );
    expect(told.map(({ data: { version, watched: is, active } }) => [version, is, active])).toEqual([
      [2, false, true],
      [3, true, true],
    ]);
  });

  it('ignores what is older than what it knows', async () => {
    await givenCase(ctx, userId);
    await hear(5, 'inactive');
    await hear(4, 'active');
    await hear(1, 'active');
    expect(await watched()).toEqual([[false, 2]]);
    expect(await ctx.stores.userStates.find(userId)).toMatchObject({ version: 5, status: 'inactive' });
  });

  it('does what a handler that stopped half-way left undone', async () => {
    await givenCase(ctx, userId);
    await ctx.db
      .collection<{ _id: number }>('user_states')
      .updateOne({ _id: userId }, { $set: { version: 2, status: 'inactive' } });
    await hear(2, 'inactive');
    expect(await watched()).toEqual([[false, 2]]);
  });

  it('comes to the newest state when many come at once, out of order and doubled', async () => {
    for (let i = 0; i < 5; i += 1) await givenCase(ctx, userId);
    const states: [number, UserStatus][] = [2, 3, 4, 5, 6, 7].map((v) => [v, v % 2 ? 'active' : 'inactive']);
    const events = [...states, [8, 'inactive'] as [number, UserStatus], ...states].reverse();
    await Promise.all(events.map(([version, status]) => hear(version, status)));
    expect((await watched()).map(([is]) => is)).toEqual([false, false, false, false, false]);
    expect(await ctx.stores.userStates.find(userId)).toMatchObject({ version: 8, active_cases: 5 });
  });

  it('forgets what the monitor said in an earlier watch: it tells anew', async () => {
    const made = await givenCase(ctx, userId);
    const earlier = { state: 'not_found', since: new Date(), next_check_at: null, revision: 40 } as const;
    await ctx.stores.cases.setMonitoring(made.id, earlier, 1);
    await hear(2, 'inactive');
    await hear(3, 'active');
    expect((await ctx.stores.cases.find(made.id))?.monitoring).toMatchObject({
      state: 'watched',
      revision: 0,
    });
  });

  it('leaves cases alone that their owner switched off', async () => {
    const made = await givenCase(ctx, userId);
    await ctx.db
      .collection<{ _id: number }>('cases')
      .updateOne({ _id: made.id }, { $set: { active: false, watched: false } });
    await hear(2, 'inactive');
    await hear(3, 'active');
    expect(await watched()).toEqual([[false, 1]]);
  });

  it('goes through more cases than one batch holds', async () => {
    const { _id, ...row } = (await ctx.stores.cases.find((await givenCase(ctx, userId)).id)) ?? { _id: 0 };
    const copies = Array.from({ length: 250 }, (_, i) => ({
      ...row,
      _id: 50_000 + i,
      receipt_number: `MSC${i}`,
    }));
    await ctx.db.collection<{ _id: number }>('cases').insertMany(copies);
    await hear(2, 'inactive');
    const all = await watched();
    expect(all).toHaveLength(251);
    expect(all.every(([is, version]) => is === false && version === 2)).toBe(true);
  });
});
