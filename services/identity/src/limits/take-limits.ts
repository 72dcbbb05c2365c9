import { ApiError, type Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { Limit } from '../store/rate-limits.ts';

/** One limit and whom it counts; `about` is only kept as a keyed hash. */
export type LimitUse = { name: string; subject: string; limit: Limit };

/** Every use is a moment in one row: a limit scaled beyond this is none. */
const maxHits = 2_000;

/**
 * Takes one use of each limit in turn, exactly; a refusal takes nothing of those that follow. Null if all allow it, else
 * when the next one is free. With a `session` it is part of that transaction, and undone with it.
 */
export async function tryLimits(
  ctx: Context,
  limits: readonly LimitUse[],
  tx: Session | null = null,
): Promise<Date | null> {
  const now = ctx.clock.now();
  for (const { name, subject: about, limit } of limits) {
    const max = Math.max(1, Math.floor(limit.max * ctx.config.RATE_LIMIT_SCALE));
    if (max > maxHits) continue;
    const key = `${name}:${ctx.macs.mac('rate-limit', about).toString('base64url')}`;
    const freeAt = await ctx.stores.rateLimits.take(key, { ...limit, max }, now, tx);
    if (freeAt !== null) return freeAt;
  }
  return null;
}

/**
 * The same, as a refusal.
 * @throws ApiError rate_limited with the time of the next one
 */
export async function takeLimits(ctx: Context, limits: readonly LimitUse[], message: string): Promise<void> {
  const freeAt = await tryLimits(ctx, limits);
  if (freeAt === null) return;
  const retryAfterS = (freeAt.getTime() - ctx.clock.now().getTime()) / 1000;
  throw new ApiError('rate_limited', { message, retryAfterS });
}
