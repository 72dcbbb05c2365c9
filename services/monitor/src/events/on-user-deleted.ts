import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { callerName } from '../domain/shares.ts';

/** Erases the records of the user's live checks. The cases of the user end by their own events. */
export function onUserDeleted({
  stores,
  log,
}: Pick<Context, 'stores' | 'log'>): EventHandler<'user.deleted'> {
  return async ({ user_id, partner_id }) => {
    const checks = await stores.callerChecks.deleteOfCaller(callerName({ user_id, partner_id }));
    await stores.callerShares.deleteOfAccount(`user/${user_id}`);
    log.info({ user_id, checks }, 'user erased');
  };
}
