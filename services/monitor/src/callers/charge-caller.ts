import { ApiError } from '@casewatch/platform';
import { shareSettingsOf } from '../config.ts';
import type { Context } from '../context.ts';
import { type Caller, sharesOf } from '../domain/shares.ts';

/** Takes a check back off the caller's account: nothing was sent. */
export type Refund = () => Promise<void>;

/**
 * Charges live checks to their callers' shares of the government's day (interface.md §1, Limits): exact, counted in the
 * database before anything is sent.
 * @returns a function that throws ApiError rate_limited, with the time until the share is whole again, where it is used
 */
export function createCharger(ctx: Context): (caller: Caller) => Promise<Refund> {
  const { config, clock, log, quotaDays, stores } = ctx;
  const settings = shareSettingsOf(config);

  return async (caller) => {
    const now = clock.now();
    const { day } = quotaDays.at(now);
    const own = caller.partner_id === null ? null : await stores.callerShares.limitOf(caller.partner_id);
    const shares = sharesOf(caller, settings, own);
    if (!(await stores.callerShares.take(day, shares, now))) {
      ctx.sendingMetrics.shareRefused(caller.partner_id === null ? 'direct' : 'partner');
      throw new ApiError('rate_limited', {
        message: 'The live checks of today are used; they begin anew after Retry-After seconds.',
        retryAfterS: Math.max(1, Math.ceil(quotaDays.msUntilNext(now) / 1_000)),
      });
    }
    return async () => {
      await stores.callerShares
        .giveBack(day, shares)
        .catch((error: unknown) => log.warn({ err: error }, 'a check that was not made stays charged'));
    };
  };
}
