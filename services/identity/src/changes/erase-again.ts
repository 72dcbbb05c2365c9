import type { EventData } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';
import { eraseUser, recordErasure } from './change-user.ts';

/**
 * Applies an erasure that was recorded before: a restored backup brings the user back, and may not have the record. May be
 * repeated. Returns whether the user was there.
 */
export async function eraseAgain(
  ctx: WriteContext & Pick<Context, 'idempotency' | 'macs'>,
  erasure: EventData<'erasure.recorded'>,
): Promise<boolean> {
  const erasedAt = new Date(erasure.erased_at);
  return await transaction(ctx.db, async (tx) => {
    const user = await ctx.stores.users.find(erasure.user_id, tx);
    // One who was created since is another person: the restore did not raise the counters.
    if (user !== null && user.created_at > erasedAt) return false;
    if (user === null) await recordErasure(ctx, tx, erasure);
    else await eraseUser(ctx, tx, user, erasedAt);
    return user !== null;
  });
}
