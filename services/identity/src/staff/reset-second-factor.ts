import { acted, type Handler, idsOf, logSecurity } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';
import type { MailDelivery } from '../store/mail-queue.ts';
import type { StaffMember } from '../store/staff.ts';
import { assertMayManage, loadMember } from './members.ts';
import { tellMember } from './notices.ts';
import { presentStaff } from './present.ts';
import { takeAway } from './second-factor.ts';

// A member who lost device and recovery codes: an owner, or the operator for the last owner, removes the second factor. The next
// sign-in sets up another, where the firm requires one.

/** DELETE /v1/client/staff/{staff_id}/second-factor */
export function resetSecondFactor(ctx: Context): Handler<'reset_second_factor'> {
  return async ({ caller, params }) => {
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const { before, after } = await transaction(ctx.db, async (tx) => {
      const before = await loadMember(ctx, caller, params.staff_id, tx);
      // Who reads the mail of the member could sign in then: the factor is a part of the access.
      await assertMayManage(ctx, tx, { caller, role: before.role });
      return { before, after: await removeSecondFactor(ctx, tx, { member: before, delivery }) };
    });
    const isChanged = after !== before;
    if (isChanged) {
      ctx.signals.emit('staffNotices');
      const target = { target_staff_id: after._id, reason: 'second_factor_reset' };
      logSecurity(ctx.log, { event: 'staff_changed', outcome: 'done', ...target, ...idsOf(caller) });
    }
    const message = isChanged
      ? 'The second factor was removed. The member is signed out everywhere, and is told by e-mail.'
      : 'The member has no second factor.';
    return { body: { success: true, message, staff_member: presentStaff(ctx, after) } };
  };
}

type Resetting = { member: StaffMember; delivery: MailDelivery };

/** The sessions of the member end, in the caller's transaction. The same row: there was no second factor. */
export async function removeSecondFactor(
  ctx: Pick<WriteContext, 'clock' | 'stores'>,
  tx: Session,
  { member, delivery }: Resetting,
): Promise<StaffMember> {
  if (member.second_factor_since == null) return member;
  const saved = await takeAway(ctx, tx, member);
  acted('staff', member._id);
  await tellMember(ctx, tx, { member, change: 'reset', codesLeft: 0, delivery });
  await ctx.stores.staffSessions.endAll(member._id, ctx.clock.now(), tx);
  await ctx.stores.revocations.add(tx, { kind: 'staff', id: member._id });
  return saved;
}
