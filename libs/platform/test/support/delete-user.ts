import type { Base } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';

/** Adds `user.deleted` of a user to identity's outbox, in a transaction of its own. Returns its id. */
export function deleteUser(
  { db, outbox }: Base<'identity'>,
  id: number,
  about = `user/${id}`,
): Promise<string> {
  const data = { user_id: id, partner_id: 1, version: 2 };
  return transaction(db, (session) => outbox.add(session, 'user.deleted', about, data));
}
