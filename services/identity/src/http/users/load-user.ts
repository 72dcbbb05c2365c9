import type { Caller } from '@casewatch/contracts';
import { ApiError, faultsError, type Session } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { fault } from '../../domain/check-user-body.ts';
import { toEmailLower, type User } from '../../domain/user.ts';

/**
 * A user whom this caller may see: oneself, or a user of one's own.
 * @throws ApiError user_not_found, the same for another's user as for one that does not exist
 */
export async function loadUser(
  ctx: Context,
  { caller, id, tx = null }: { caller: Caller; id: number; tx?: Session | null },
): Promise<User> {
  const isOther = caller.kind === 'user' && caller.user_id !== id;
  const user = isOther ? null : await ctx.stores.users.find(id, tx);
  const isMine = caller.kind === 'user' || user?.partner_id === caller.partner_id;
  if (!user || !isMine) throw new ApiError('user_not_found');
  return user;
}

/**
 * The user with this address whom this caller may see.
 * @throws ApiError user_not_found; validation_failed where a person names an address that is not their own
 */
export async function loadUserByEmail(ctx: Context, caller: Caller, email: string): Promise<User> {
  const emailLower = toEmailLower(email);
  if (caller.kind === 'partner') {
    const user = await ctx.stores.users.findInTenant(caller.partner_id, emailLower);
    if (!user) throw new ApiError('user_not_found');
    return user;
  }
  const user = await loadUser(ctx, { caller, id: caller.user_id });
  if (user.email_lower === emailLower) return user;
  throw faultsError([fault('email', 'not_allowed', 'is not your own address')]);
}
