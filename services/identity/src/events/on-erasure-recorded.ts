import type { EventHandler } from '@casewatch/platform';
import { eraseAgain } from '../changes/erase-again.ts';
import type { Context } from '../context.ts';

/** The own event: after a restore the stream tells which people the backup brought back. */
export function onErasureRecorded(ctx: Context): EventHandler<'erasure.recorded'> {
  return async (erasure) => {
    const { user_id } = erasure;
    if (await eraseAgain(ctx, erasure)) ctx.log.info({ user_id }, 'user from a restored backup erased again');
  };
}
