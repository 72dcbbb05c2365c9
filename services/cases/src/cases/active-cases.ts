import type { UserStatus } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { isDuplicateKey, type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { isWatchable, newerState, type UserState } from '../rules/watching.ts';
import { oneActiveIndex } from '../store/cases.ts';

/** One more active case of a user, as identity returned the user. */
export type SlotRequest = {
  user: { id: number; version: number; status: UserStatus };
  receiptNumber: string;
};

/**
 * Checks that the user may have one more active case.
 * @throws ApiError user_not_found, user_not_active, case_already_monitored, case_limit_reached
 */
export async function assertCaseAllowed(ctx: Context, { user, receiptNumber }: SlotRequest): Promise<void> {
  const [stored, isMonitored] = await Promise.all([
    ctx.stores.userStates.find(user.id),
    ctx.stores.cases.isMonitored(user.id, receiptNumber),
  ]);
  assertActive(newerState(stored, stateOf(user)));
  if (isMonitored) throw alreadyMonitored(receiptNumber);
  assertWithinLimit(ctx, (stored?.active_cases ?? 0) + 1);
}

export function stateOf({ version, status }: SlotRequest['user']): UserState {
  return { version, status, deleted: false };
}

/** @throws ApiError case_limit_reached */
export function assertWithinLimit({ config }: Context, activeCases: number): void {
  const limit = config.MAX_ACTIVE_CASES_PER_USER;
  if (activeCases <= limit) return;
  throw new ApiError('case_limit_reached', { message: `A user may have ${limit} active cases.` });
}

/** @throws ApiError user_not_found, user_not_active */
export function assertActive(state: UserState): void {
  if (state.deleted) throw new ApiError('user_not_found');
  if (!isWatchable(state)) throw new ApiError('user_not_active');
}

/** @throws ApiError case_already_monitored */
export async function assertNotMonitored(
  ctx: Context,
  session: Session,
  { user_id, receipt_number }: { user_id: number; receipt_number: string },
): Promise<void> {
  const isMonitored = await ctx.stores.cases.isMonitored(user_id, receipt_number, session);
  if (isMonitored) throw alreadyMonitored(receipt_number);
}

/**
 * Counts one more active case. The write of the user's state makes parallel transactions of the user conflict.
 * @throws ApiError user_not_found, user_not_active, case_limit_reached, which end the transaction
 */
export async function reserveCaseSlot(
  ctx: Context,
  session: Session,
  user: SlotRequest['user'],
): Promise<void> {
  const state = await ctx.stores.userStates.reserve(session, user.id, stateOf(user));
  assertActive(state);
  assertWithinLimit(ctx, state.active_cases);
}

/** A transaction of a creation or update: those of one user run one after another in this process, because they conflict. */
export async function transactionInTurn<T>(
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
