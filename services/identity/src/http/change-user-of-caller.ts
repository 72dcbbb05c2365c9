import type { Body } from '@casewatch/contracts';
import { ApiError, faultsError, type Session, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { faultsOfChange } from '../domain/check-user-body.ts';
import { type Decision, decideUserChange } from '../domain/decide-user-change.ts';
import type { User } from '../domain/user.ts';
import { changeUser } from '../store/change-user.ts';
import { orEmailTaken } from './email-taken.ts';
import { type KnownCaller, loadUser } from './load-user.ts';
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
      await afterEffects(ctx, session, { caller, user: after, decision });
      return after;
    }),
  );
  if (changes.email !== undefined) ctx.verificationMails.wake();
  return user;
}

type Accepted = Extract<Decision, { ok: true }>;

function decided(decision: Decision): Accepted {
  if (decision.ok) return decision;
  if (decision.faults.length > 0) throw faultsError(decision.faults);
  throw new ApiError(decision.code);
}

/** A new address: links to the old one are void, a new one is sent, other sessions end. Suspended: all sessions end. */
async function afterEffects(
  ctx: Context,
  session: Session,
  { caller, user, decision }: { caller: KnownCaller; user: User; decision: Accepted },
): Promise<void> {
  const now = ctx.clock.now();
  if (decision.addressChanged) {
    await ctx.stores.emailVerifications.voidAll(user._id, now, session);
    await queueVerification(ctx, user, session);
  }
  if (decision.addressChanged || decision.becomesSuspended) {
    const kept = caller.kind === 'user' ? caller.session_id : null;
    await ctx.stores.sessions.endAll(user._id, kept, now, session);
  }
}
