import { transaction } from '@casewatch/platform/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { notification, receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { delivery, givenCase, openContext, outboxOf } from '../../test/support/open-context.ts';
import type { Context } from '../context.ts';
import { onNotificationUpdated } from '../updates/notification-updated.ts';
import { onStatusUpdated } from '../updates/status-updated.ts';
import { deferredCheck, storeNewCase } from './create-case.ts';
import { onErasureRecorded, onUserChanged, onUserDeleted } from './people.ts';

describe('user.deleted', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let userId = 0;
  const erase = () => onUserDeleted(ctx)({ user_id: userId, partner_id: 1, version: 9 }, delivery);
  const count = (name: string, filter: object) => ctx.db.collection(name).countDocuments(filter);

  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());
  beforeEach(() => {
    userId += 1;
  });

  it('erases cases and updates, whole or not, and tells the end of each case once', async () => {
    const [first, second] = [await givenCase(ctx, userId), await givenCase(ctx, userId)];
    await onStatusUpdated(ctx)(statusUpdated(first), delivery);
    await onNotificationUpdated(ctx)(notification(second, 900_000 + userId), delivery);
    await erase();
    await erase();
    expect(await count('cases', { user_id: userId })).toBe(0);
    expect(await count('status_updates', { case_id: { $in: [first.id, second.id] } })).toBe(0);
    const told = (await outboxOf(ctx)).filter(
      ({ type, data }) => type === 'case.deleted' && (data.case as { user_id: number }).user_id === userId,
    );
    expect(told.map(({ data }) => (data.case as { id: number }).id).sort()).toEqual(
      [first.id, second.id].sort(),
    );
    expect(told[0]?.data).toMatchObject({ version: 2 });
  });

  it('keeps the acknowledgement without user, receipt and address', async () => {
    const made = await givenCase(ctx, userId);
    await erase();
    expect(await ctx.stores.acknowledgements.ofCase(made.id)).toMatchObject([
      {
        version: '2026-11',
        key_id: 'key-1',
        staff_id: null,
        user_id: null,
        receipt_number: null,
        address: null,
      },
    ]);
  });

  it('leaves a tombstone that no later word about the user brings to life', async () => {
    await givenCase(ctx, userId);
    await erase();
    await onUserChanged(ctx)({ user_id: userId, partner_id: 1, version: 10, status: 'active' });
    expect(await ctx.stores.userStates.find(userId)).toMatchObject({ deleted: true, active_cases: 0 });
    const wanted = {
      user: user(userId, { version: 11 }),
      partner: null,
      receiptNumber: receipt(700_000 + userId),
      description: '',
      first: deferredCheck,
      acknowledgedBy: { partner_id: 1, key_id: 'key-1', staff_id: null, address: '203.0.113.7' },
    };
    const made = storeNewCase(ctx, wanted, async (_session, { row }) => row);
    await expect(made).rejects.toMatchObject({ code: 'user_not_found' });
  });

  it('is repeated by the recorded erasure after a restore, and the time of the erasure stays', async () => {
    const [made, other] = [await givenCase(ctx, userId), await givenCase(ctx, userId + 10_000)];
    const erased_at = '2026-10-01T10:00:00.000Z';
    await onErasureRecorded(ctx)({ user_id: userId, partner_id: 1, erased_at }, delivery);
    expect(await count('cases', { user_id: userId })).toBe(0);
    expect(await count('cases', { _id: other.id as never })).toBe(1);
    const told = (await outboxOf(ctx)).filter(({ type, data }) => {
      return type === 'case.deleted' && (data.case as { id: number }).id === made.id;
    });
    expect(told).toHaveLength(1);
    await erase();
    expect(await ctx.stores.userStates.find(userId)).toMatchObject({
      deleted: true,
      erased_at: new Date(erased_at),
    });
    const indexes = await ctx.db.collection('user_states').indexes();
    expect(indexes.find(({ key }) => 'erased_at' in key)?.expireAfterSeconds).toBe(400 * 86_400);
  });

  it('forgets the answers that were remembered for their Idempotency-Keys', async () => {
    const claim = { caller: 'partner/1', operation: 'create_partner_case', path: '/', key: 'k', body: {} };
    const begun = await ctx.idempotency.startAttempt(claim);
    if ('replay' in begun) throw new Error('the key was used before');
    const answer = { status: 201, headers: {}, body: {} };
    await transaction(ctx.db, (session) => begun.attempt.remember(session, answer, userId));
    expect(await count('idempotency', { user_id: userId })).toBe(1);
    await erase();
    expect(await count('idempotency', {})).toBe(0);
  });

  it('erases a user with thousands of updates in transactions that stay small', async () => {
    const made = await givenCase(ctx, userId);
    const rows = Array.from({ length: 4_000 }, (_, i) => ({
      _id: 5_000_000 + i,
      case_id: made.id,
      observation: i,
    }));
    await ctx.db.collection<{ _id: number }>('status_updates').insertMany(rows);
    const log = ctx.db.getClient().db('local').collection('oplog.rs');
    const newest = await log.findOne({}, { sort: { $natural: -1 } });
    await erase();
    expect(await count('cases', { user_id: userId })).toBe(0);
    expect(await count('status_updates', { case_id: made.id })).toBe(0);
    // A transaction is in the log of operations as one list of its writes. Earlier tests used this database too.
    const ours = { ts: { $gt: newest?.ts }, op: 'c', 'o.applyOps.ns': `${ctx.db.name}.cases` };
    const sizes = (await log.find(ours).toArray()).map(({ o }) => o.applyOps.length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThan(100);
  });

  it('drops what arrives about the cases later', async () => {
    const made = await givenCase(ctx, userId);
    await erase();
    await onStatusUpdated(ctx)(statusUpdated(made), delivery);
    await onNotificationUpdated(ctx)(notification(made, 800_000 + userId), delivery);
    expect(await count('status_updates', { case_id: made.id })).toBe(0);
  });

  it('leaves nothing behind when updates and notifications arrive at that moment', async () => {
    const made = await givenCase(ctx, userId);
    const changes = [2, 3, 4, 5].map((observation) => statusUpdated(made, { observation }));
    const arriving = changes.flatMap((change) => [
      onStatusUpdated(ctx)(change, delivery),
      // "Later" is an honest answer here: the message would come again, and find the case gone.
      onNotificationUpdated(ctx)(notification(made, change.status_update.id), delivery).catch(
        (error: Error) => expect(error.name).toBe('RetryLaterError'),
      ),
    ]);
    await Promise.all([...arriving, erase()]);
    expect(await count('cases', { _id: made.id })).toBe(0);
    expect(await count('status_updates', { case_id: made.id })).toBe(0);
  });
});
