import { ApiError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { Limit } from '../store/rate-limits.ts';

/** One use of a limit. `subject` is stored only as a keyed hash. */
export type LimitUse = { name: string; subject: string; limit: Limit };

/** Each use is a date in one row. A limit scaled above this number is not enforced. */
const maxHits = 2_000;

/** Takes one use of each limit, up to the first refusal: returns when that limit is free again. Null if all allow it. */
export async function tryLimits(
  ctx: Context,
  limits: readonly LimitUse[],
  tx: Session | null = null,
): Promise<Date | null> {
  const now = ctx.clock.now();
  for (const { name, subject, limit } of limits) {
    const max = Math.max(1, Math.floor(limit.max * ctx.config.RATE_LIMIT_SCALE));
    if (max > maxHits) continue;
    const key = `${name}:${ctx.macs.mac('rate-limit', subject).toString('base64url')}`;
    const freeAt = await ctx.stores.rateLimits.take(key, { ...limit, max }, now, tx);
    if (freeAt !== null) return freeAt;
  }
  return null;
}

/** @throws ApiError rate_limited, with the time of the next use */
export async function takeLimits(ctx: Context, limits: readonly LimitUse[], message: string): Promise<void> {
  const freeAt = await tryLimits(ctx, limits);
  if (freeAt === null) return;
  const retryAfterS = (freeAt.getTime() - ctx.clock.now().getTime()) / 1000;
  throw new ApiError('rate_limited', { message, retryAfterS });
}
