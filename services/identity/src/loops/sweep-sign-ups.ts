import { every, type Running } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { eraseUser } from '../changes/change-user.ts';
import type { Context } from '../context.ts';
import { wasNeverVerified } from '../domain/user.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const batchSize = 100;

/** Erases direct users who never verified an address: another person may have typed it. Several replicas may do this in parallel. */
export function sweepSignUps(ctx: Context): Running {
  const keptMs = ctx.config.SIGN_UP_KEPT_DAYS * dayMs;
  return every(
    Math.min(hourMs, keptMs / 10),
    (signal) => sweep(ctx, keptMs, signal),
    (error) => ctx.log.warn({ err: error }, 'unverified sign-ups not erased; trying again at the next sweep'),
  );
}

async function sweep(ctx: Context, keptMs: number, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  for (;;) {
    const ids = await ctx.stores.users.listUnverifiedBefore(before, batchSize);
    for (const id of ids) {
      if (signal.aborted) return;
      await eraseIfUnverified(ctx, id);
    }
    if (ids.length < batchSize) return;
  }
}

async function eraseIfUnverified(ctx: Context, id: number): Promise<void> {
  const isErased = await transaction(ctx.db, async (tx) => {
    const user = await ctx.stores.users.find(id, tx);
    if (!user || !wasNeverVerified(user)) return false;
    await eraseUser(ctx, tx, user);
    return true;
  });
  if (isErased) ctx.log.info({ user_id: id }, 'unverified sign-up erased');
}
