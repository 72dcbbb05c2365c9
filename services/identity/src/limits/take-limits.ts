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
    const freeAt = await ctx.stores.rateLimits.take(
      keyOf(ctx, { name, subject }),
      { ...limit, max },
      now,
      tx,
    );
    if (freeAt !== null) return freeAt;
  }
  return null;
}

/** Takes back the use that this transaction took last. */
export async function giveBackLimit(ctx: Context, use: LimitUse, tx: Session): Promise<void> {
  await ctx.stores.rateLimits.giveBack(keyOf(ctx, use), tx);
}

function keyOf({ macs }: Context, { name, subject }: Pick<LimitUse, 'name' | 'subject'>): string {
  return `${name}:${macs.mac('rate-limit', subject).toString('base64url')}`;
}

/** @throws ApiError rate_limited, with the time of the next use */
export async function takeLimits(ctx: Context, limits: readonly LimitUse[], message: string): Promise<void> {
  const freeAt = await tryLimits(ctx, limits);
  if (freeAt === null) return;
  const retryAfterS = (freeAt.getTime() - ctx.clock.now().getTime()) / 1000;
  throw new ApiError('rate_limited', { message, retryAfterS });
}
