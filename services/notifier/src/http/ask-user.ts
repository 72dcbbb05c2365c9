import type { UserReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { NotifierContext } from '../context.ts';

/** A user as identity knows them now; `gone`: deleted; `away`: identity did not answer. */
export type AskedUser = UserReply | 'gone' | 'away';

/** Asks identity for a user; whoever unsubscribes must not have to wait for identity to come back. */
export async function askUser(ctx: NotifierContext, userId: number): Promise<AskedUser> {
  try {
    return await ctx.bus.request('identity.user', { user_id: userId });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'gone';
    ctx.log.info({ user_id: userId, err: error }, 'user cannot be asked for now');
    return 'away';
  }
}
