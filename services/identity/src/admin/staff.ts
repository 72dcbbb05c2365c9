import { randomUUID } from 'node:crypto';
import { email, idText, name, staffRole } from '@casewatch/contracts';
import { RefusedError, actedFor } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { nameFromEmail, toEmailLower } from '../domain/user.ts';
import { addMember, type NewMember, queueInvitation } from '../staff/invitation.ts';
import { removeSecondFactor } from '../staff/reset-second-factor.ts';
import { eraseMember } from '../staff/retention.ts';
import type { AdminContext } from './admin-context.ts';
import { command, findStaying, refuseMissing } from './command.ts';

/** Without the limits of partners; the running service sends the mail within 5 s. */
export async function inviteByOperator(ctx: AdminContext, tx: Session, member: NewMember): Promise<void> {
  actedFor(member.partner_id);
  const invited = await addMember(ctx, tx, member);
  await queueInvitation({ ...ctx, newId: randomUUID }, tx, invited);
}

export const staffInvite = command({
  words: 'staff invite',
  form: '--partner 1 --email maria@example.com [--name "Maria Lopes"] [--role owner|editor|viewer]',
  options: z.strictObject({
    partner: idText,
    email,
    name: name.optional(),
    role: staffRole.default('owner'),
  }),
  async run(ctx, { partner: partner_id, email, name = nameFromEmail(email), role }) {
    const id = await ctx.ids.next('staff');
    await transaction(ctx.db, async (tx) => {
      await findStaying(ctx, partner_id, tx);
      const existing = await ctx.stores.staff.findByEmail(partner_id, toEmailLower(email), tx);
      if (existing)
        throw new RefusedError(`Partner ${partner_id} has a member with this address: ${existing._id}.`);
      await inviteByOperator(ctx, tx, { id, partner_id, email, name, role });
    });
    return {
      json: { staff_member: { id, partner_id, role } },
      lines: [`Member ${id} of partner ${partner_id} is invited as ${role}.`],
    };
  },
});

/** Replaces the name of a member by *Former member* and deletes the address; who is still a member is removed first. */
export const staffErase = command({
  words: 'staff erase',
  form: '--staff 1',
  options: z.strictObject({ staff: idText }),
  async run(ctx, { staff: id }) {
    const { partner_id } = refuseMissing(await eraseMember(ctx, id), 'staff member', id);
    return {
      json: { staff_member: { id, partner_id, erased: true } },
      lines: [`Member ${id} of partner ${partner_id} is erased.`],
    };
  },
});

/** For the last owner, and whoever has no owner to ask: removes the second factor, and ends the sessions of the member. */
export const staffResetSecondFactor = command({
  words: 'staff reset-second-factor',
  form: '--staff 1',
  options: z.strictObject({ staff: idText }),
  async run(ctx, { staff: id }) {
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const { partner_id, isReset } = await transaction(ctx.db, async (tx) => {
      const member = refuseMissing(await ctx.stores.staff.find(id, tx), 'staff member', id);
      actedFor(member.partner_id);
      const saved = await removeSecondFactor(ctx, tx, { member, delivery });
      return { partner_id: member.partner_id, isReset: saved !== member };
    });
    return {
      json: { staff_member: { id, partner_id, reset: isReset } },
      lines: [
        isReset
          ? `The second factor of member ${id} of partner ${partner_id} is removed; all sessions of the member have ended.`
          : `Member ${id} of partner ${partner_id} has no second factor.`,
      ],
    };
  },
});
