import type { UserStatus } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { isDuplicateKey, type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { isWatchable, newerState, type UserState } from '../rules/watching.ts';
import { oneActiveIndex } from '../store/cases.ts';

/** One more active case of a user, as identity returned the user. `partner`: of the user, if it has a limit of its own. */
export type SlotRequest = {
  user: { id: number; version: number; status: UserStatus };
  partner: LimitedPartner | null;
  receiptNumber: string;
};

/** `caseLimit`: of the active cases of all its users. */
export type LimitedPartner = { readonly id: number; readonly caseLimit: number };

/**
 * Checks that the user may have one more active case.
 * @throws ApiError user_not_found, user_not_active, case_already_monitored, case_limit_reached
 */
export async function assertCaseAllowed(
  ctx: Context,
  { user, partner, receiptNumber }: SlotRequest,
): Promise<void> {
  const [stored, isMonitored] = await Promise.all([
    ctx.stores.userStates.find(user.id),
    ctx.stores.cases.isMonitored(user.id, receiptNumber),
  ]);
  assertActive(newerState(stored, stateOf(user)));
  if (isMonitored) throw alreadyMonitored(receiptNumber);
  assertWithinLimit(ctx, (stored?.active_cases ?? 0) + 1);
  await assertWithinPartnerLimit(ctx, partner);
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

/** `more`: cases that are about to be active. @throws ApiError case_limit_reached */
export async function assertWithinPartnerLimit(
  { stores }: Context,
  partner: LimitedPartner | null,
  { more = 1, session = null }: { more?: number; session?: Session | null } = {},
): Promise<void> {
  if (partner === null) return;
  const { id, caseLimit } = partner;
  if ((await stores.cases.countActive(id, caseLimit, session)) + more <= caseLimit) return;
  throw new ApiError('case_limit_reached', {
    message: `The partner may have ${caseLimit} active cases of all its users. Deactivate a case first, or ask the operator for more.`,
  });
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
 * Counts one more active case. The write of the user's state makes parallel transactions of the user conflict, and one for the partner those
 * of a partner with a limit.
 * @throws ApiError user_not_found, user_not_active, case_limit_reached, which end the transaction
 */
export async function reserveCaseSlot(
  ctx: Context,
  session: Session,
  { user, partner }: Pick<SlotRequest, 'user' | 'partner'>,
): Promise<void> {
  const state = await ctx.stores.userStates.reserve(session, user.id, stateOf(user));
  assertActive(state);
  assertWithinLimit(ctx, state.active_cases);
  if (partner === null) return;
  await ctx.stores.partnerStates.follow(session, partner.id);
  await assertWithinPartnerLimit(ctx, partner, { session });
}

type Turn = { userId: number; receiptNumber: string; partner?: LimitedPartner | null };

/** A transaction of a creation or update: those of one user, or of one partner with a limit, run one after another in this process, because they conflict. */
export async function transactionInTurn<T>(
  ctx: Context,
  { userId, receiptNumber, partner = null }: Turn,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const ofUser = () => ctx.inTurnOfUser(userId, () => transaction(ctx.db, work));
  try {
    return await (partner === null ? ofUser() : ctx.inTurnOfPartner(partner.id, ofUser));
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
