import type { UserStatus } from '@casewatch/contracts';
import { ApiError, isDuplicateKey, type Session, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { isWatchable, newerState, type UserState } from '../domain/user-state.ts';
import { oneActiveIndex } from '../store/cases.ts';

/** Who wants a place for which receipt; the user as identity said. */
export type PlaceRequest = {
  user: { id: number; version: number; status: UserStatus };
  receiptNumber: string;
};

/**
 * Looks whether the user may have one more active case, on this receipt; the newer of identity's and the events' word
 * about the user decides. Answers that state.
 * @throws ApiError user_not_found, user_not_active, case_already_monitored, case_limit_reached
 */
export async function checkPlace(
  ctx: Context,
  { user, receiptNumber }: PlaceRequest,
  session: Session | null = null,
): Promise<UserState> {
  const known = await ctx.stores.userStates.find(user.id, session);
  const state = newerState(known, { version: user.version, status: user.status, deleted: false });
  assertActive(state);
  if (await ctx.stores.cases.isMonitored(user.id, receiptNumber, session))
    throw alreadyMonitored(receiptNumber);
  const limit = ctx.config.MAX_ACTIVE_CASES_PER_USER;
  if ((known?.active_cases ?? 0) >= limit) {
    throw new ApiError('case_limit_reached', { message: `A user may have ${limit} active cases.` });
  }
  return state;
}

/** @throws ApiError user_not_found, user_not_active */
export function assertActive(state: UserState): void {
  if (state.deleted) throw new ApiError('user_not_found');
  if (!isWatchable(state)) throw new ApiError('user_not_active');
}

/**
 * Takes one of the user's places within a transaction. It writes the user's state, so of several at once one goes
 * through and the others look again.
 */
export async function takePlace(ctx: Context, session: Session, request: PlaceRequest): Promise<void> {
  const state = await checkPlace(ctx, request, session);
  await ctx.stores.userStates.put(session, request.user.id, state, 1);
}

/** A transaction that makes a case active: the unique index has the last word about doubles. */
export async function placeTransaction<T>(
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
