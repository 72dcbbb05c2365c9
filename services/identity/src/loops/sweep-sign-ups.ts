import { every, type Running, transaction } from '@casewatch/platform';
import { eraseUser } from '../changes/change-user.ts';
import type { Context } from '../context.ts';
import { wasNeverVerified } from '../domain/user.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const atOnce = 100;

/**
 * Erases direct users whose address nobody has ever proven: somebody's typing, of which its owner may know nothing. They
 * can have no cases, since signing in is a proof. Replicas may do this at once; each user is erased once. It looks every hour,
 * and ten times in the time that a sign-up is kept.
 */
export function sweepSignUps(ctx: Context): Running {
  const keptMs = ctx.config.SIGN_UP_KEPT_DAYS * dayMs;
  return every(
    Math.min(hourMs, keptMs / 10),
    (signal) => sweep(ctx, keptMs, signal),
    (error) => ctx.log.warn({ err: error }, 'unproven sign-ups wait for the next sweep'),
  );
}

async function sweep(ctx: Context, keptMs: number, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  for (;;) {
    const ids = await ctx.stores.users.listUnverifiedBefore(before, atOnce);
    for (const id of ids) {
      if (signal.aborted) return;
      await eraseIfUnproven(ctx, id);
    }
    if (ids.length < atOnce) return;
  }
}

async function eraseIfUnproven(ctx: Context, id: number): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const user = await ctx.stores.users.find(id, tx);
    // Proven, or erased, since it was looked for.
    if (!user || !wasNeverVerified(user)) return;
    await eraseUser(ctx, tx, user);
  });
  ctx.log.info({ user_id: id }, 'sign-up erased that was never proven');
}
