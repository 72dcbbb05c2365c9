import { acted, newContext } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { presentNotification } from '../present/notification.ts';
import type { RowChange } from '../store/notification-changes.ts';
import type { NotificationRow } from '../store/notification-model.ts';

export type Change = RowChange;

type Stored = Pick<Context, 'db' | 'stores' | 'outbox'>;

/**
 * Changes notifications and publishes `notification.updated` for each in one transaction.
 * @returns the changed rows: without those that have changed since they were read, for example by a callback
 */
export async function changeNotifications(
  ctx: Stored,
  changes: readonly Change[],
): Promise<NotificationRow[]> {
  let possible = changes;
  while (possible.length > 0) {
    const rows = await transaction(ctx.db, (session) => changeTogether(ctx, session, possible));
    if (rows !== null) return rows;
    possible = await ctx.stores.notifications.stillPossible(possible);
  }
  return [];
}

/** Null if a row has changed: then nothing is stored. */
async function changeTogether({ stores, outbox }: Stored, session: Session, changes: readonly Change[]) {
  const rows = await stores.notifications.changeAll(session, changes);
  if (rows === null) {
    await session.abortTransaction();
    return null;
  }
  for (const { case_id } of rows) acted('case', case_id);
  const additions = rows.map((row) => ({
    subject: `status_update/${row.status_update_id}`,
    data: presentNotification(row),
    context: newContext(row.request_id, row.traceparent),
  }));
  await outbox.addAll(session, 'notification.updated', additions);
  return rows;
}
