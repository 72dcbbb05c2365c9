import type { Caller } from '@casewatch/contracts';
import { ApiError, faultsError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../../context.ts';
import { fault } from '../../domain/check-user-body.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { isAddressTaken } from '../../store/users.ts';

/** @throws ApiError user_not_found, also for another caller's user */
export async function loadUser(
  ctx: Context,
  { caller, id, tx = null }: { caller: Caller; id: number; tx?: Session | null },
): Promise<User> {
  const isOther = caller.kind === 'user' && caller.user_id !== id;
  return visibleUser(caller, isOther ? null : await ctx.stores.users.find(id, tx));
}

/** @throws ApiError user_not_found, also for another caller's user */
export function visibleUser(caller: Caller, user: User | null): User {
  const isVisible =
    caller.kind === 'user' ? user?._id === caller.user_id : user?.partner_id === caller.partner_id;
  if (!user || !isVisible) throw new ApiError('user_not_found');
  return user;
}

/** @throws ApiError user_not_found; validation_failed if a person names an address of another user */
export async function loadUserByEmail(ctx: Context, caller: Caller, email: string): Promise<User> {
  const emailLower = toEmailLower(email);
  if (caller.kind === 'partner') {
    const user = await ctx.stores.users.findInTenant(caller.partner_id, emailLower);
    if (!user) throw new ApiError('user_not_found');
    return user;
  }
  const user = await loadUser(ctx, { caller, id: caller.user_id });
  if (user.email_lower === emailLower) return user;
  throw faultsError([fault('email', 'not_allowed', 'is not your address')]);
}

/** Awaits a write; an address that another user of the tenant has becomes 409. */
export async function mapAddressTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isAddressTaken(error) ? emailTaken() : error;
  }
}

export function emailTaken(): ApiError {
  return new ApiError('email_already_exists', {
    faults: [fault('email', 'duplicate', 'belongs to another user')],
  });
}
