import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { callerName } from '../domain/shares.ts';

/** Erases the live checks of a partner and its limit. The watches of its people end by the events of their cases. May be repeated. */
export function onPartnerDeleted({
  stores,
  log,
}: Pick<Context, 'stores' | 'log'>): EventHandler<'partner.deleted'> {
  return async ({ partner_id }) => {
    const caller = callerName({ partner_id, user_id: null });
    const checks = await stores.callerChecks.deleteOfCaller(caller);
    await stores.callerShares.deleteOfAccount(caller);
    await stores.callerShares.setLimit(partner_id, null);
    log.info({ partner_id, checks }, 'partner erased');
  };
}
