import { ApiError, faultsError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { openSession, requesterOf } from '../../changes/open-session.ts';
import type { Context } from '../../context.ts';
import { fault } from '../../domain/check-user-body.ts';
import type { LoginSession } from '../../domain/session.ts';
import { isUnverified, nameFromEmail, toEmailLower, type User } from '../../domain/user.ts';
import { type CodeGuess, matchLoginCode } from './match-login-code.ts';

type Attempt = CodeGuess & { userId: number | null };

/** @throws ApiError as matchLoginCode; account_suspended, user_selection_required, validation_failed */
export async function signInWithCode(
  ctx: Context,
  attempt: Attempt,
): Promise<{ user: User; session: LoginSession }> {
  const challenge = await matchLoginCode(ctx, attempt);
  const sessionId = ctx.newId();
  // The code is used up only together with the session that it opens.
  return await transaction(ctx.db, async (tx) => {
    const emailLower = toEmailLower(attempt.email);
    const users = await ctx.stores.users.findByEmail(emailLower, tx);
    const pending = users.length === 0 ? await requesterOf(ctx, challenge, tx) : null;
    const user = await chooseUser(ctx, pending ? [pending] : users, attempt.userId);
    if (!(await ctx.stores.loginChallenges.consume(challenge._id, ctx.clock.now(), tx))) {
      throw new ApiError('invalid_login_code');
    }
    const newEmail = pending?.pending_email ?? null;
    return await openSession(ctx, tx, { sessionId, user, emailLower, network: attempt.network, newEmail });
  });
}

async function chooseUser(ctx: Context, users: readonly User[], userId: number | null): Promise<User> {
  if (users.length === 0) throw new ApiError('invalid_login_code');
  const candidates = users.filter((user) =>
    userId === null ? user.status !== 'suspended' : user._id === userId,
  );
  if (userId !== null && candidates.length === 0) {
    throw faultsError([fault('user_id', 'invalid_choice', 'is not a user with this address')]);
  }
  if (candidates.length > 1) throw await selectionRequired(ctx, candidates);
  const [user] = candidates;
  if (!user || user.status === 'suspended') {
    throw new ApiError('account_suspended', { callerIds: { user_id: (user ?? users[0])?._id } });
  }
  return user;
}

/**
 * The correct code allows the caller to see the users of the address (interface.md §4). An unverified direct user's name may
 * have been typed by another person, so it is not shown.
 */
async function selectionRequired(ctx: Context, users: readonly User[]): Promise<ApiError> {
  const ids = users.map((user) => user.partner_id).filter((id) => id !== null);
  const partners = new Map((await ctx.stores.partners.findAll(ids)).map(({ _id, name }) => [_id, name]));
  const choices = users.map((user) => ({
    id: user._id,
    name: user.partner_id === null && isUnverified(user) ? nameFromEmail(user.email) : user.name,
    partner_name: user.partner_id === null ? null : (partners.get(user.partner_id) ?? null),
  }));
  return new ApiError('user_selection_required', { extra: { users: choices } });
}
