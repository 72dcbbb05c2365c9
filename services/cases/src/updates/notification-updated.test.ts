import { isTransient, PoisonError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, nextUpdateId, notification, statusUpdated } from '../../test/support/fixtures.ts';
import { delivery, givenCase, openContext } from '../../test/support/open-context.ts';
import type { Context } from '../context.ts';
import { onNotificationUpdated } from './notification-updated.ts';
import { onStatusUpdated } from './status-updated.ts';

describe('notification.updated', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let userId = 0;
  let made: CaseInEvent;
  let update: ReturnType<typeof statusUpdated>;
  const tell = (over: Parameters<typeof notification>[2] = {}) =>
    onNotificationUpdated(ctx)(notification(made, update.status_update.id, over), delivery);
  const store = () => onStatusUpdated(ctx)(update, delivery);
  const row = () => ctx.stores.statusUpdates.find(update.status_update.id);

  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());
  beforeEach(async () => {
    userId += 1;
    made = await givenCase(ctx, userId);
    update = statusUpdated(made);
  });

  it('writes one channel and leaves the other', async () => {
    await store();
    await tell();
    expect(await row()).toMatchObject({
      notified: 1,
      email_notify_status: 'sent',
      email_notify_attempts: 1,
      email_notify_sent_at: new Date('2026-11-21T09:00:05.000Z'),
      whatsapp_notify_status: 'pending',
      whatsapp_notify_attempts: 0,
    });
  });

  it('lets the higher revision of each channel win', async () => {
    await store();
    await tell({ revision: 3, status: 'delivered' });
    await tell({ revision: 2, status: 'failed', last_error: 'smtp_451: greylisted', sent_at: null });
    await tell({ revision: 3, status: 'pending' });
    await tell({ channel: 'whatsapp', revision: 1, status: 'sending', attempts: 1, sent_at: null });
    expect(await row()).toMatchObject({
      email_notify_status: 'delivered',
      email_notify_last_error: null,
      whatsapp_notify_status: 'sending',
    });
  });

  it('refuses what is said of an update that another case has', async () => {
    await store();
    const other = await givenCase(ctx, userId);
    const { id } = update.status_update;
    await expect(onNotificationUpdated(ctx)(notification(other, id), delivery)).rejects.toThrow(
      new PoisonError(`StatusUpdate ${id} is of case ${made.id}; not of case ${other.id}`),
    );
    expect(await row()).toMatchObject({ email_notify_status: 'pending' });
  });

  it('keeps notified and sent_at after a bounce', async () => {
    await store();
    await tell();
    await tell({ revision: 3, status: 'failed', last_error: 'smtp_550: bounced', sent_at: null });
    expect(await row()).toMatchObject({
      notified: 1,
      email_notify_status: 'failed',
      email_notify_last_error: 'smtp_550: bounced',
      email_notify_sent_at: new Date('2026-11-21T09:00:05.000Z'),
    });
  });

  it('says nothing of being notified before anything was sent', async () => {
    await store();
    await tell({ status: 'failed', last_error: 'smtp_550: no such user', sent_at: null });
    expect(await row()).toMatchObject({ notified: 0, email_notify_sent_at: null });
  });

  it('waits under the id where it comes first, neither shown nor counted until the update is whole', async () => {
    await tell();
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({ update_count: 1 });
    expect(await ctx.stores.statusUpdates.page(made.id, { after: null, limit: 10 })).toHaveLength(1);

    await tell({
      channel: 'whatsapp',
      revision: 1,
      status: 'skipped',
      last_error: 'no_address: none',
      sent_at: null,
    });
    await store();
    await store();
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({
      update_count: 2,
      latest_update: { observation: 2 },
    });
    const [newest] = await ctx.stores.statusUpdates.page(made.id, { after: null, limit: 10 });
    expect(newest).toMatchObject({
      status_code: 'Case Was Approved',
      notified: 1,
      email_notify_status: 'sent',
      whatsapp_notify_status: 'skipped',
      whatsapp_notify_last_error: 'no_address: none',
    });
  });

  it('leaves to the update what the notifier has not spoken of', async () => {
    update.skip_reason = 'flap';
    await tell({ status: 'skipped', last_error: 'flap: told before', attempts: 0, sent_at: null });
    await store();
    expect(await row()).toMatchObject({
      email_notify_last_error: 'flap: told before',
      whatsapp_notify_status: 'skipped',
      whatsapp_notify_last_error: 'flap: the status went back and forth within a day',
    });
  });

  it('comes out the same when both come at once, in any order', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(() => settled(tell)).concat([settled(store), settled(store)]));
    expect(await row()).toMatchObject({ observation: 2, email_notify_status: 'sent', notified: 1 });
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({ update_count: 2 });
  });

  it('is done with a case that is gone, and stores nothing', async () => {
    const id = nextUpdateId();
    await onNotificationUpdated(ctx)(notification({ ...made, id: 999_999 }, id), delivery);
    expect(await ctx.stores.statusUpdates.find(id)).toBeNull();
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
