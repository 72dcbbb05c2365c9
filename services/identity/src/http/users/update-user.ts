import type { Body, Caller } from '@casewatch/contracts';
import { ApiError, faultsError, type Handler, idsOf } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { type AcceptedChange, applyUserChange, sessionEndReason } from '../../changes/apply-user-change.ts';
import { createChangeTogether } from '../../changes/change-together.ts';
import { logSessionsEnded } from '../../changes/end-sessions.ts';
import type { Context } from '../../context.ts';
import { faultsOfChange } from '../../domain/check-user-body.ts';
import { decideUserChange } from '../../domain/decide-user-change.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { takeLimits } from '../../limits/take-limits.ts';
import { presentUser, presentUserOfUpdate } from '../../present/user.ts';
import { emailTaken, loadUser, mapAddressTaken, visibleUser } from './load-user.ts';

/** The same for a taken address (quality.md, no enumeration). */
const requestedMessage =
  'User updated. We have sent a link to the new address. It takes effect when it is confirmed; ' +
  'until then your current address stays.';

/** PUT /v1/users/{user_id}: the person, or the partner. */
export function updateUser(ctx: Context): Handler<'update_user'> {
  const changePlainly = createPlainChange(ctx);
  return async ({ caller, params, body }) => {
    const change = { caller, id: params.user_id, changes: body };
    const { user, isRequested } = await changeUserOfCaller(ctx, change, changePlainly);
    const message = isRequested ? requestedMessage : 'User updated.';
    return { body: { success: true, message, user: presentUserOfUpdate(user) } };
  };
}

/** PUT /v1/client/users/{user_id} */
export function updatePartnerUser(ctx: Context): Handler<'update_partner_user'> {
  const changePlainly = createPlainChange(ctx);
  return async ({ caller, params, body }) => {
    const change = { caller, id: params.user_id, changes: body };
    const { user } = await changeUserOfCaller(ctx, change, changePlainly);
    return { body: { success: true, message: 'User updated.', user: presentUser(user) } };
  };
}

/** By the person and the partner together (interface.md §4, update user). */
const addressChangesPerUser = { max: 3, windowMs: 24 * 60 * 60 * 1000 };

type Change = { caller: Caller; id: number; changes: Body<'update_partner_user'> };

/** `isRequested`: a new address must be confirmed first. */
type Changed = { user: User; isRequested: boolean; reason?: ReturnType<typeof sessionEndReason> };

/**
 * Concurrent changes conflict in the database; the later one is decided again.
 * @throws ApiError validation_failed, user_not_found, account_suspended, reauthentication_required, opted_out_by_user,
 * email_already_exists (to a partner), rate_limited
 */
async function changeUserOfCaller(
  ctx: Context,
  change: Change,
  changePlainly: PlainChange,
): Promise<Changed> {
  const { caller, id, changes } = change;
  const faults = faultsOfChange(changes, caller.kind);
  if (faults.length > 0) throw faultsError(faults);
  if (isPlain(changes)) return { user: await changePlainly(change), isRequested: false };
  if (changes.email !== undefined) await checkAddressChange(ctx, change);
  const changed = await mapAddressTaken(
    transaction(ctx.db, async (tx): Promise<Changed> => {
      const before = await loadUser(ctx, { caller, id, tx });
      const decision = decide(ctx, before, change);
      const isRequested = decision.address === 'requested';
      if (Object.keys(decision.set).length === 0 && !isRequested) return { user: before, isRequested };
      const user = await applyUserChange(ctx, tx, { before, decision });
      return { user, isRequested, reason: sessionEndReason(decision) };
    }),
  );
  if (changes.email !== undefined) {
    ctx.signals.emit('verificationMails');
    ctx.signals.emit('undoMails');
  }
  if (changed.reason) logSessionsEnded(ctx, id, { reason: changed.reason, by: idsOf(caller) });
  return changed;
}

type PlainChange = (change: Change) => Promise<User>;

function createPlainChange(ctx: Context): PlainChange {
  return createChangeTogether(
    ctx,
    (change: Change, user) => decide(ctx, visibleUser(change.caller, user), change).set,
  );
}

/** No session, link or mail depends on the other fields. */
function isPlain({ email, status }: Change['changes']): boolean {
  return email === undefined && status === undefined;
}

/** Takes the limit if the change would be accepted, before the transaction, which may run several times. */
async function checkAddressChange(ctx: Context, change: Change): Promise<void> {
  const { caller, id, changes } = change;
  const user = await loadUser(ctx, { caller, id });
  const { address } = decide(ctx, user, change);
  if (address !== 'requested' && address !== 'changed') return;
  const emailLower = toEmailLower(changes.email ?? '');
  const isTaken = address === 'changed' && (await ctx.stores.users.findInTenant(user.partner_id, emailLower));
  if (isTaken) throw emailTaken();
  await takeLimits(
    ctx,
    [{ name: 'address-change', subject: String(id), limit: addressChangesPerUser }],
    'The e-mail address of a user can be changed three times a day; try again after Retry-After seconds.',
  );
}

function decide(ctx: Context, user: User, { caller, changes }: Change): AcceptedChange {
  const decision = decideUserChange({ user, changes, caller, now: ctx.clock.now() });
  if (decision.ok) return decision;
  if (decision.faults.length > 0) throw faultsError(decision.faults);
  throw new ApiError(decision.code);
}
