import { newContext, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentNotification } from '../present/notification.ts';
import type { Expected, NotificationChange, NotificationRow } from '../store/notification-model.ts';

export type Change = { row: Expected; change: NotificationChange };

/**
 * Changes notifications and publishes `notification.updated` for each in one transaction.
 * @returns the changed rows: without those that have changed since they were read, for example by a callback
 */
export async function changeNotifications(
  ctx: Pick<Context, 'db' | 'stores' | 'outbox'>,
  changes: readonly Change[],
): Promise<NotificationRow[]> {
  if (changes.length === 0) return [];
  const expected = changes.map(({ row: { _id, status, fence }, change }) => ({
    expected: { _id, status, fence },
    change,
  }));
  return await transaction(ctx.db, async (session) => {
    const rows = await ctx.stores.notifications.changeAll(session, expected);
    const additions = rows.map((row) => ({
      subject: `status_update/${row.status_update_id}`,
      data: presentNotification(row),
      context: newContext(row.request_id, row.traceparent),
    }));
    await ctx.outbox.addAll(session, 'notification.updated', additions);
    return rows;
  });
}
