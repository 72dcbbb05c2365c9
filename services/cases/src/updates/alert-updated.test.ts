import type { EventData } from '@casewatch/contracts';
import { isTransient, NotYetError, PoisonError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, nextUpdateId, notification, statusUpdated } from '../../test/support/fixtures.ts';
import { delivery, givenCase, openContext } from '../../test/support/open-context.ts';
import type { Context } from '../context.ts';
import { onAlertUpdated } from './alert-updated.ts';
import { onCheckOverdue, onMonitoringChanged } from './monitoring.ts';
import { onNotificationUpdated } from './notification-updated.ts';
import { onStatusUpdated } from './status-updated.ts';

describe('alert.updated', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let userId = 0;
  let made: CaseInEvent;
  let update: ReturnType<typeof statusUpdated>;
  const at = '2026-11-21T09:00:02.000Z';
  const tell = (over: Partial<EventData<'alert.updated'>> = {}) =>
    onAlertUpdated(ctx)(
      {
        ...{ status_update_id: update.status_update.id, monitoring: null, case_id: made.id, staff_id: 1 },
        ...{ status: 'sent', sent_at: at, revision: 2 },
        ...over,
      },
      delivery,
    );
  const store = () => onStatusUpdated(ctx)(update, delivery);
  const row = () => ctx.stores.statusUpdates.find(update.status_update.id);
  const alerts = async () => (await row())?.alerts;
  const sent = { status: 'sent', sent_at: new Date(at), revision: 2 };

  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());
  beforeEach(async () => {
    userId += 1;
    made = await givenCase(ctx, userId);
    update = statusUpdated(made);
  });

  it('writes one member and leaves the others, and what the user was told', async () => {
    await store();
    await tell();
    await tell({ staff_id: 12, status: 'skipped', sent_at: null, revision: 1 });
    expect(await alerts()).toEqual({ 1: sent, 12: { status: 'skipped', sent_at: null, revision: 1 } });
    expect(await row()).toMatchObject({ notified: 0, email_notify_status: 'pending' });
  });

  it('lets the higher revision of each member win, whatever comes last', async () => {
    await store();
    await tell({ revision: 3 });
    await tell({ revision: 1, status: 'pending', sent_at: null });
    await tell({ revision: 3, status: 'failed', sent_at: null });
    await tell({ staff_id: 2, revision: 1, status: 'pending', sent_at: null });
    expect(await alerts()).toEqual({
      1: { ...sent, revision: 3 },
      2: { status: 'pending', sent_at: null, revision: 1 },
    });
  });

  it('waits under the id where it comes first, not shown until the update is whole', async () => {
    await tell();
    await tell({ staff_id: 2 });
    expect(await ctx.stores.statusUpdates.page(made.id, { after: null, limit: 10 })).toHaveLength(1);
    await onNotificationUpdated(ctx)(notification(made, update.status_update.id), delivery);
    await store();
    await store();
    const [newest] = await ctx.stores.statusUpdates.page(made.id, { after: null, limit: 10 });
    expect(newest).toMatchObject({
      status_code: 'Case Was Approved',
      alerts: { 1: sent, 2: sent },
      email_notify_status: 'sent',
      whatsapp_notify_status: 'pending',
    });
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({ update_count: 2 });
  });

  it('has the same result when all come at the same time, in any order', async () => {
    const told = [1, 2, 3, 4, 5].map((staff_id) => settled(() => tell({ staff_id })));
    const user = settled(() =>
      onNotificationUpdated(ctx)(notification(made, update.status_update.id), delivery),
    );
    await Promise.all([...told, user, settled(store), settled(() => tell({ staff_id: 5, revision: 1 }))]);
    expect(await alerts()).toEqual({ 1: sent, 2: sent, 3: sent, 4: sent, 5: sent });
    expect(await row()).toMatchObject({ observation: 2, email_notify_status: 'sent', notified: 1 });
  });

  describe('of a state of monitoring', () => {
    const since = '2099-11-20T10:00:00.000Z';
    const of = (state: 'not_found' | 'overdue', at = since) =>
      tell({ status_update_id: null, monitoring: { state, since: at } });
    const stored = async () =>
      (
        await ctx.db
          .collection('status_updates')
          .find({ case_id: made.id, monitoring: { $exists: true } })
          .toArray()
      ).map(({ monitoring, alerts }) => [monitoring.state, alerts]);
    const notFound = (at = since) =>
      onMonitoringChanged(ctx)(
        { case: made, state: 'not_found', since: at, next_check_at: null, revision: 3, case_version: 1 },
        delivery,
      );
    const overdue = () => onCheckOverdue(ctx)({ case: made, since, last_checked: null }, delivery);

    it.each([
      ['not_found', notFound],
      ['overdue', overdue],
    ] as const)('%s: stands in its row, and waits for it where it comes first', async (state, come) => {
      await expect(of(state)).rejects.toThrow(NotYetError);
      await come();
      await of(state);
      await of(state);
      await tell({
        ...{ status_update_id: null, monitoring: { state, since }, staff_id: 2 },
        ...{ status: 'failed', sent_at: null, revision: 1 },
      });
      await tell({
        ...{ status_update_id: null, monitoring: { state, since } },
        ...{ status: 'pending', sent_at: null, revision: 1 },
      });
      expect(await stored()).toEqual([
        [state, { 1: sent, 2: { status: 'failed', sent_at: null, revision: 1 } }],
      ]);
    });

    it('that was over before its event came, or whose case is gone, is forgotten', async () => {
      await notFound();
      await of('not_found', '2098-11-20T10:00:00.000Z');
      await of('overdue', '2098-11-20T10:00:00.000Z');
      await tell({ status_update_id: null, monitoring: { state: 'not_found', since }, case_id: 999_999 });
      expect(await stored()).toEqual([['not_found', undefined]]);
    });
  });

  it('is done with a case that is gone, and stores nothing', async () => {
    const id = nextUpdateId();
    await tell({ status_update_id: id, case_id: 999_999 });
    expect(await ctx.stores.statusUpdates.find(id)).toBeNull();
  });

  it('refuses what is said of an update that another case has', async () => {
    await store();
    const other = await givenCase(ctx, userId);
    const { id } = update.status_update;
    await expect(tell({ case_id: other.id })).rejects.toThrow(
      new PoisonError(`StatusUpdate ${id} is of case ${made.id}; not of case ${other.id}`),
    );
    expect(await alerts()).toBeUndefined();
  });

  /** As the bus does: what is told "later" comes again. */
  async function settled(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await settled(work);
    }
  }
});
