import type { Body, Caller } from '@casewatch/contracts';
import { ApiError, faultsError, idsOf, transaction } from '@casewatch/platform';
import { type AcceptedChange, applyUserChange, sessionEndReason } from '../../changes/apply-user-change.ts';
import type { Context } from '../../context.ts';
import { faultsOfChange } from '../../domain/check-user-body.ts';
import { type Decision, decideUserChange } from '../../domain/decide-user-change.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { takeLimits } from '../../limits/take-limits.ts';
import { emailTaken, mapAddressTaken } from './email-taken.ts';
import { loadUser } from './load-user.ts';
import { logSessionsEnded } from './log-sessions-ended.ts';

/** By the person and the partner together (interface.md §4, update user). */
const addressChangesPerUser = { max: 3, windowMs: 24 * 60 * 60 * 1000 };

type Change = { caller: Caller; id: number; changes: Body<'update_partner_user'> };

/** The user as they are now; `isAsked`: another address has to be confirmed first; `reason`: why their sessions ended. */
type Changed = { user: User; isAsked: boolean; reason?: ReturnType<typeof sessionEndReason> };

/**
 * Both PUTs of a user. Two at once conflict in the database, and the later is decided again on what the first left.
 * @throws ApiError validation_failed, user_not_found, account_suspended, reauthentication_required, opted_out_by_user,
 * email_already_exists (to a partner), rate_limited
 */
export async function changeUserOfCaller(ctx: Context, change: Change): Promise<Changed> {
  const { caller, id, changes } = change;
  const faults = faultsOfChange(changes, caller.kind);
  if (faults.length > 0) throw faultsError(faults);
  if (changes.email !== undefined) await checkAddressChange(ctx, change);
  const changed = await mapAddressTaken(
    transaction(ctx.db, async (tx) => {
      const before = await loadUser(ctx, { caller, id, tx });
      const decision = decided(decideUserChange({ user: before, changes, caller, now: ctx.clock.now() }));
      const isAsked = decision.address === 'asked';
      if (Object.keys(decision.set).length === 0 && !isAsked) return { user: before, isAsked };
      const user = await applyUserChange(ctx, tx, { before, decision });
      const reason = sessionEndReason(decision);
      return { user, isAsked, ...(reason && { reason }) };
    }),
  );
  if (changes.email !== undefined) {
    ctx.signals.emit('verificationMails');
    ctx.signals.emit('undoMails');
  }
  if (changed.reason) logSessionsEnded(ctx, id, { reason: changed.reason, by: idsOf(caller) });
  return changed;
}

/** The limit is taken once the change would be accepted, and before the transaction, which may run several times. */
async function checkAddressChange(ctx: Context, { caller, id, changes }: Change): Promise<void> {
  const user = await loadUser(ctx, { caller, id });
  const { address } = decided(decideUserChange({ user, changes, caller, now: ctx.clock.now() }));
  if (address !== 'asked' && address !== 'changed') return;
  const emailLower = toEmailLower(changes.email ?? '');
  const isTaken = address === 'changed' && (await ctx.stores.users.findInTenant(user.partner_id, emailLower));
  if (isTaken) throw emailTaken();
  await takeLimits(
    ctx,
    [{ name: 'address-change', subject: String(id), limit: addressChangesPerUser }],
    'The e-mail address of a user can be changed three times a day; try again after Retry-After seconds.',
  );
}

function decided(decision: Decision): AcceptedChange {
  if (decision.ok) return decision;
  if (decision.faults.length > 0) throw faultsError(decision.faults);
  throw new ApiError(decision.code);
}
