import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { dayMs } from '../domain/buckets.ts';
import { callerName } from '../domain/shares.ts';

type ErasureContext = Pick<Context, 'stores' | 'clock' | 'quotaDays' | 'log'>;

/** `caller_days` keeps rows for 8 days. */
const keptDays = 9;

/** Erases the records of the user's live checks. The cases of the user end by their own events. */
export function onUserDeleted(ctx: ErasureContext): EventHandler<'user.deleted'> {
  return async ({ user_id, partner_id }) => {
    const checks = await ctx.stores.callerChecks.deleteOfCaller(callerName({ user_id, partner_id }));
    await ctx.stores.callerShares.deleteOfAccount(`user/${user_id}`, recentQuotaDays(ctx));
    ctx.log.info({ user_id, checks }, 'user erased');
  };
}

function recentQuotaDays({ quotaDays, clock }: ErasureContext): string[] {
  const nowMs = clock.now().getTime();
  return Array.from({ length: keptDays }, (_, i) => quotaDays.at(new Date(nowMs - i * dayMs)).day);
}
