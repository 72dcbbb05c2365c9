import { transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentNotification } from '../present/notification.ts';
import type { Expected, NotificationChange, NotificationRow } from '../store/notification-model.ts';

/**
 * Changes a notification and publishes `notification.updated` in one transaction.
 * @returns null if the row has changed since it was read, for example by a callback
 */
export async function changeNotification(
  ctx: Context,
  { _id, status, fence }: Expected,
  change: NotificationChange,
): Promise<NotificationRow | null> {
  return await transaction(ctx.db, async (session) => {
    const row = await ctx.stores.notifications.change(session, { _id, status, fence }, change);
    if (row) {
      const subject = `status_update/${row.status_update_id}`;
      await ctx.outbox.add(session, 'notification.updated', subject, presentNotification(row));
    }
    return row;
  });
}
