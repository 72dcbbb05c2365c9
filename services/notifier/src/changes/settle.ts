import { transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentNotification } from '../present/notification.ts';
import type { Expected, NotificationChange, NotificationRow } from '../store/notification-row.ts';

/**
 * One change of a notification and its `notification.updated`, together or not at all.
 * @returns null if the row is not as expected any more: somebody else, a callback say, has settled it
 */
export async function settle(
  ctx: Context,
  expected: Expected,
  change: NotificationChange,
): Promise<NotificationRow | null> {
  return await transaction(ctx.db, async (session) => {
    const row = await ctx.stores.notifications.change(session, expected, change);
    if (row) {
      const about = `status_update/${row.status_update_id}`;
      await ctx.outbox.add(session, 'notification.updated', about, presentNotification(row));
    }
    return row;
  });
}
