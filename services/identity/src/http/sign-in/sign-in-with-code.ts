import { ApiError, faultsError, transaction } from '@casewatch/platform';
import { openSession } from '../../changes/open-session.ts';
import type { Context } from '../../context.ts';
import { fault } from '../../domain/check-user-body.ts';
import type { LoginSession } from '../../domain/session.ts';
import { isUnverified, nameFromEmail, toEmailLower, type User } from '../../domain/user.ts';
import { type CodeGuess, matchLoginCode } from './match-login-code.ts';

type Attempt = CodeGuess & { userId: number | null };

/**
 * A login code for a session. The code is used up only together with the session that it opens; it also proves the
 * address of the user chosen.
 * @throws ApiError invalid_login_code, too_many_login_attempts, account_suspended, user_selection_required,
 * validation_failed
 */
export async function signInWithCode(
  ctx: Context,
  attempt: Attempt,
): Promise<{ user: User; session: LoginSession }> {
  const challenge = await matchLoginCode(ctx, attempt);
  const sessionId = ctx.newId();
  return await transaction(ctx.db, async (tx) => {
    const emailLower = toEmailLower(attempt.email);
    const users = await ctx.stores.users.findByEmail(emailLower, tx);
    const pending = users.length === 0 ? await ctx.stores.users.findByPendingEmail(emailLower, tx) : null;
    const user = await chooseUser(ctx, pending ? [pending] : users, attempt.userId);
    if (!(await ctx.stores.loginChallenges.consume(challenge._id, ctx.clock.now(), tx))) {
      throw new ApiError('invalid_login_code');
    }
    const newEmail = pending?.pending_email ?? null;
    return await openSession(ctx, tx, { sessionId, user, emailLower, network: attempt.network, newEmail });
  });
}

async function chooseUser(ctx: Context, users: readonly User[], userId: number | null): Promise<User> {
  const able = users.filter((user) => user.status !== 'suspended');
  const wanted = userId === null ? able : users.filter((user) => user._id === userId);
  if (users.length === 0) throw new ApiError('invalid_login_code');
  if (userId !== null && wanted.length === 0) {
    throw faultsError([fault('user_id', 'invalid_choice', 'is not a user with this address')]);
  }
  if (wanted.length > 1) throw await selectionRequired(ctx, wanted);
  const [user] = wanted;
  if (!user || user.status === 'suspended') {
    throw new ApiError('account_suspended', { who: { user_id: (user ?? users[0])?._id } });
  }
  return user;
}

/**
 * The caller has shown the code, so they may see whose the address is (interface.md §4). The name of a direct user who has not
 * proven the address may be another person's choice, so it is not shown.
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
