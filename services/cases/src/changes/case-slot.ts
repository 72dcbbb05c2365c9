import type { UserStatus } from '@casewatch/contracts';
import { ApiError, isDuplicateKey, type Session, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { isWatchable, newerState, type UserState } from '../domain/user-state.ts';
import { oneActiveIndex } from '../store/cases.ts';

/** One more active case of a user, as identity returned the user. */
export type SlotRequest = {
  user: { id: number; version: number; status: UserStatus };
  receiptNumber: string;
};

/**
 * Checks that the user may have one more active case. Returns the newer of the stored state and identity's reply.
 * @throws ApiError user_not_found, user_not_active, case_already_monitored, case_limit_reached
 */
export async function assertCaseAllowed(
  ctx: Context,
  { user, receiptNumber }: SlotRequest,
  session: Session | null = null,
): Promise<UserState> {
  const stored = await ctx.stores.userStates.find(user.id, session);
  const state = newerState(stored, { version: user.version, status: user.status, deleted: false });
  assertActive(state);
  if (await ctx.stores.cases.isMonitored(user.id, receiptNumber, session))
    throw alreadyMonitored(receiptNumber);
  const limit = ctx.config.MAX_ACTIVE_CASES_PER_USER;
  if ((stored?.active_cases ?? 0) >= limit) {
    throw new ApiError('case_limit_reached', { message: `A user may have ${limit} active cases.` });
  }
  return state;
}

/** @throws ApiError user_not_found, user_not_active */
export function assertActive(state: UserState): void {
  if (state.deleted) throw new ApiError('user_not_found');
  if (!isWatchable(state)) throw new ApiError('user_not_active');
}

/** Counts one more active case. The write of the user's state makes parallel transactions of the user conflict. */
export async function reserveCaseSlot(ctx: Context, session: Session, request: SlotRequest): Promise<void> {
  const state = await assertCaseAllowed(ctx, request, session);
  await ctx.stores.userStates.upsert(session, request.user.id, state, 1);
}

/** A transaction that makes a case active. The unique index refuses a second active case of the receipt. */
export async function activationTransaction<T>(
  ctx: Context,
  { userId, receiptNumber }: { userId: number; receiptNumber: string },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.inTurnOfUser(userId, () => transaction(ctx.db, work));
  } catch (error) {
    if (isDuplicateKey(error, oneActiveIndex)) throw alreadyMonitored(receiptNumber);
    throw error;
  }
}

function alreadyMonitored(receiptNumber: string): ApiError {
  return new ApiError('case_already_monitored', {
    message: `Receipt number ${receiptNumber} is already monitored for this user.`,
  });
}
