import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { addressLimit } from '../limits/address-limit.ts';
import type { Verdict } from '../limits/limits.ts';

/**
 * Counts a request that no operation sees against its address. Returns the error that answers it: `error`, or that of the
 * limit.
 */
export function countRefused(
  ctx: Context,
  address: string,
  error: ApiError,
): { error: ApiError; verdict: Verdict } {
  const verdict = addressLimit(ctx.limits, address).countRefused();
  if (verdict.isAllowed) return { error, verdict };
  return { error: new ApiError('rate_limited', { retryAfterS: verdict.retryAfterS }), verdict };
}
