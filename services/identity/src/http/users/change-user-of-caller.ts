import type { Body, Caller } from '@casewatch/contracts';
import { ApiError, faultsError, idsOf, type Session, transaction } from '@casewatch/platform';
import { changeUser, forgetCodes } from '../../changes/change-user.ts';
import { endSessionsOf } from '../../changes/end-sessions.ts';
import { queueChangeLinks } from '../../changes/queue-change-links.ts';
import { queueUndo } from '../../changes/queue-undo.ts';
import { queueVerification } from '../../changes/queue-verification.ts';
import type { Context } from '../../context.ts';
import { faultsOfChange } from '../../domain/check-user-body.ts';
import { type Decision, decideUserChange } from '../../domain/decide-user-change.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { takeLimits } from '../../limits/take-limits.ts';
import { emailTaken, orEmailTaken } from './email-taken.ts';
import { loadUser } from './load-user.ts';
import { logSessionsEnded } from './log-sessions-ended.ts';

/** By the person and the partner together (interface.md §4, update user). */
const addressChangesPerUser = { max: 3, windowMs: 24 * 60 * 60 * 1000 };

type Change = { caller: Caller; id: number; changes: Body<'update_partner_user'> };

/** The user as they are now; `isAsked`: another address has to be confirmed first; `reason`: why their sessions ended. */
type Changed = { user: User; isAsked: boolean; reason?: ReturnType<typeof endOfSessions> };

/**
 * Both PUTs of a user. Two at once conflict in the database, and the later is decided again on what the first left.
 * @throws ApiError validation_failed, user_not_found, account_suspended, reauthentication_required, opted_out_by_user,
 * email_already_exists (to a partner), rate_limited
 */
export async function changeUserOfCaller(ctx: Context, change: Change): Promise<Changed> {
  const { caller, id, changes } = change;
  const faults = faultsOfChange(changes, caller.kind);
  if (faults.length > 0) throw faultsError(faults);
  if (changes.email !== undefined) await admitAddress(ctx, change);
  const changed = await orEmailTaken(
    transaction(ctx.db, async (session) => {
      const before = await loadUser(ctx, { caller, id, session });
      const decision = decided(decideUserChange({ user: before, changes, caller, now: ctx.clock.now() }));
      const isAsked = decision.address === 'asked';
      if (Object.keys(decision.set).length === 0 && !isAsked) return { user: before, isAsked };
      const after = await changeUser(ctx, session, { user: before, set: decision.set });
      await afterEffects(ctx, session, { before, after, decision });
      const reason = endOfSessions(decision);
      return { user: after, isAsked, ...(reason && { reason }) };
    }),
  );
  if (changes.email !== undefined) {
    ctx.signals.emit('verificationMails');
    ctx.signals.emit('undoMails');
  }
  if (changed.reason) logSessionsEnded(ctx, id, { reason: changed.reason, by: idsOf(caller) });
  return changed;
}

/** Why the change ends all sessions; null where it does not. */
function endOfSessions({ address, becomesSuspended }: Accepted): 'suspended' | 'address_changed' | null {
  if (becomesSuspended) return 'suspended';
  return address === 'changed' ? 'address_changed' : null;
}

/** The limit is taken once the change would be accepted, and before the transaction, which may run several times. */
async function admitAddress(ctx: Context, { caller, id, changes }: Change): Promise<void> {
  const user = await loadUser(ctx, { caller, id });
  const { address } = decided(decideUserChange({ user, changes, caller, now: ctx.clock.now() }));
  if (address !== 'asked' && address !== 'changed') return;
  const emailLower = toEmailLower(changes.email ?? '');
  const isTaken = address === 'changed' && (await ctx.stores.users.ofTenant(user.partner_id, emailLower));
  if (isTaken) throw emailTaken();
  await takeLimits(
    ctx,
    [{ name: 'address-change', about: String(id), limit: addressChangesPerUser }],
    'The e-mail address of a user can be changed three times a day; try again after Retry-After seconds.',
  );
}

type Accepted = Extract<Decision, { ok: true }>;

function decided(decision: Decision): Accepted {
  if (decision.ok) return decision;
  if (decision.faults.length > 0) throw faultsError(decision.faults);
  throw new ApiError(decision.code);
}

type Done = { before: User; after: User; decision: Accepted };

/**
 * A new address of a partner's user: links and codes of the old one are void, a link to verify the new goes to it, one to undo
 * the change to the old, sessions end. One that the person asked for only gets its links. Suspended: all sessions end.
 */
async function afterEffects(
  ctx: Context,
  session: Session,
  { before, after, decision }: Done,
): Promise<void> {
  const { address } = decision;
  if (address === 'asked') {
    await queueChangeLinks(ctx, { user: after, newEmail: after.pending_email ?? '' }, session);
  } else if (address !== 'same') {
    await ctx.stores.emailChangeLinks.voidAll(after._id, ctx.clock.now(), session);
  }
  if (address === 'changed') {
    await ctx.stores.emailVerifications.voidAll(after._id, ctx.clock.now(), session);
    await queueVerification(ctx, after, session);
    await queueUndo(ctx, before, session);
    await forgetCodes(ctx, session, before.email_lower);
  }
  if (endOfSessions(decision) !== null) {
    await endSessionsOf(ctx, session, { userId: after._id });
  }
}
