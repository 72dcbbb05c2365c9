import type { Body } from '@casewatch/contracts';
import { ApiError, faultsError, type Session, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { faultsOfChange } from '../domain/check-user-body.ts';
import { type Decision, decideUserChange } from '../domain/decide-user-change.ts';
import type { User } from '../domain/user.ts';
import { changeUser, forgetCodes } from '../store/change-user.ts';
import { endSessionsOf } from '../store/end-sessions.ts';
import { orEmailTaken } from './email-taken.ts';
import { type KnownCaller, loadUser } from './load-user.ts';
import { queueUndo } from './queue-undo.ts';
import { queueVerification } from './queue-verification.ts';

type Change = { caller: KnownCaller; id: number; changes: Body<'update_partner_user'> };

/**
 * Both PUTs of a user. Two at once conflict in the database, and the later is decided anew on what the first left.
 * @throws ApiError validation_failed, user_not_found, account_suspended, reauthentication_required, opted_out_by_user,
 * email_already_exists
 */
export async function changeUserOfCaller(ctx: Context, change: Change): Promise<User> {
  const { caller, id, changes } = change;
  const faults = faultsOfChange(changes, caller.kind);
  if (faults.length > 0) throw faultsError(faults);
  const user = await orEmailTaken(
    transaction(ctx.db, async (session) => {
      const before = await loadUser(ctx, { caller, id, session });
      const decision = decided(decideUserChange({ user: before, changes, caller, now: ctx.clock.now() }));
      if (Object.keys(decision.set).length === 0) return before;
      const after = await changeUser(ctx, session, { user: before, set: decision.set });
      await afterEffects(ctx, session, { caller, before, after, decision });
      return after;
    }),
  );
  if (changes.email !== undefined) {
    ctx.verificationMails.wake();
    ctx.undoMails.wake();
  }
  return user;
}

type Accepted = Extract<Decision, { ok: true }>;

function decided(decision: Decision): Accepted {
  if (decision.ok) return decision;
  if (decision.faults.length > 0) throw faultsError(decision.faults);
  throw new ApiError(decision.code);
}

type Done = { caller: KnownCaller; before: User; after: User; decision: Accepted };

/**
 * A new address: links and codes of the old one are void, a link to verify the new goes to it, one to undo the
 * change to the old, other sessions end. Suspended: all sessions end.
 */
async function afterEffects(
  ctx: Context,
  session: Session,
  { caller, before, after, decision }: Done,
): Promise<void> {
  if (decision.addressChanged) {
    await ctx.stores.emailVerifications.voidAll(after._id, ctx.clock.now(), session);
    await queueVerification(ctx, after, session);
    await queueUndo(ctx, before, session);
    await forgetCodes(ctx, session, before.email_lower);
  }
  if (decision.addressChanged || decision.becomesSuspended) {
    const except = caller.kind === 'user' ? caller.session_id : null;
    await endSessionsOf(ctx, session, { userId: after._id, except });
  }
}
