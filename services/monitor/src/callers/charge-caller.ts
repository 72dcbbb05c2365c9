import { ApiError, warning } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { type Caller, sharesOf } from '../domain/shares.ts';

/** Charges a live check before it is sent (interface.md §1, Limits). @throws ApiError rate_limited */
export async function chargeCaller(ctx: Context, caller: Caller): Promise<() => Promise<void>> {
  const { clock, log, quotaDays, config, stores } = ctx;
  const { partner_id } = caller;
  const now = clock.now();
  const { day } = quotaDays.at(now);
  const limit = partner_id === null ? null : await stores.callerShares.limitOf(partner_id);
  const shares = sharesOf(caller, config, limit);
  if (!(await stores.callerShares.take(day, shares, now))) {
    ctx.metrics.all['monitor.shares_refused'].add(1, { caller: partner_id === null ? 'direct' : 'partner' });
    throw new ApiError('rate_limited', {
      message: 'Today’s live checks are used up. Try again after Retry-After seconds.',
      retryAfterS: Math.max(1, Math.ceil(quotaDays.msUntilNext(now) / 1_000)),
    });
  }
  const warn = warning(log, 'refund of an unsent live check failed');
  return () => stores.callerShares.refund(day, shares).catch(warn);
}
