import { ApiError, type Session, transaction } from '@casewatch/platform';
import { restoreAddress } from '../../changes/restore-address.ts';
import type { Context } from '../../context.ts';
import { isUndoTokenOf } from '../../credentials/undo-token.ts';
import { rowIdOfToken } from '../../credentials/verification-token.ts';
import { type EmailChange, judgeEmailChange } from '../../domain/email-change.ts';
import type { EmailChangeLink } from '../../domain/email-change-link.ts';
import type { User } from '../../domain/user.ts';
import { mapAddressTaken } from '../users/email-taken.ts';
import { logSessionsEnded } from '../users/log-sessions-ended.ts';

/** The change that a link is for, whose it is, and whether it is undone already. `asked`: it has not taken effect. */
export type FoundChange = {
  change: EmailChange;
  asked: EmailChangeLink | null;
  user: User;
  isUndone: boolean;
};

/** @throws ApiError invalid_verification_token: forged, older than 7 days, void, or of nobody (any more) */
export async function findChangeByToken(
  ctx: Context,
  token: string,
  tx: Session | null = null,
): Promise<FoundChange> {
  const invalid = new ApiError('invalid_verification_token', {
    message: 'This link does not work any more.',
  });
  const id = rowIdOfToken(token);
  const asked = id === null ? null : await ctx.stores.emailChangeLinks.find(id, tx);
  const change = id === null ? null : (asked ?? (await ctx.stores.emailChanges.find(id, tx)));
  if (!change || !isUndoTokenOf(change, token, ctx.macs)) throw invalid;
  const user = await ctx.stores.users.find(change.user_id, tx);
  const state = user ? judgeEmailChange(change, user, ctx.clock.now()) : 'void';
  if (!user || state === 'void') throw invalid;
  return { change, asked, user, isUndone: state === 'undone' };
}

/**
 * Restores the old address, as proven as it was, or stops a change that was only asked for. All sessions end, since the
 * person who made the change may hold them. The second time the work is done already.
 * @throws ApiError invalid_verification_token; email_already_exists where somebody else has the address by now
 */
export async function undoChangeByToken(ctx: Context, token: string): Promise<FoundChange> {
  const found = await mapAddressTaken(
    transaction(ctx.db, async (tx) => {
      const found = await findChangeByToken(ctx, token, tx);
      if (found.isUndone) return found;
      return { ...found, user: await restoreAddress(ctx, tx, found) };
    }),
  );
  if (!found.isUndone) logSessionsEnded(ctx, found.user._id, { reason: 'change_undone' });
  return found;
}
