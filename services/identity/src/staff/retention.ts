import { acted, actedFor, every, type Running } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';
import { knownNetworkEmails, signInName } from '../credentials/known-networks.ts';
import type { StaffMember } from '../store/staff.ts';
import { announceEnd, removeBelongings, removeCodes, removeMember } from './members.ts';

// What stays of members who were removed, and for how long (firm.md §1): the id and the name, because acknowledgements and records
// name who did something; the address for some days; the name, too, until the member asks for the erasure.

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

/** In place of the name of an erased member. */
export const erasedName = 'Former member';

/** Several replicas may do this in parallel. */
export function sweepStaff(ctx: Context): Running {
  const keptMs = ctx.config.STAFF_ADDRESS_KEPT_DAYS * dayMs;
  return every(
    Math.min(hourMs, keptMs / 10),
    async () => {
      const deleted = await ctx.stores.staff.deleteAddresses(new Date(ctx.clock.now().getTime() - keptMs));
      if (deleted > 0) ctx.log.info({ deleted }, 'addresses of former staff members deleted');
    },
    (error) => ctx.log.warn({ err: error }, 'addresses of former staff members not deleted; trying again'),
  );
}

/**
 * Removes a member, if that was not done, and replaces name and address. Null if there is no such member. May be repeated.
 * @throws ApiError last_owner
 */
export async function eraseMember(
  ctx: WriteContext & Pick<Context, 'idempotency' | 'macs'>,
  id: number,
): Promise<StaffMember | null> {
  return await transaction(ctx.db, async (tx) => {
    const member = await ctx.stores.staff.find(id, tx);
    if (!member || member.erased_at !== null) return member;
    actedFor(member.partner_id);
    acted('staff', id);
    await forgetPlaces(ctx, tx, member);
    const removed = member.removed_at === null ? await removeMember(ctx, tx, member) : member;
    await ctx.stores.staffSessions.removeAll(id, tx);
    const now = ctx.clock.now();
    const set = { name: erasedName, email: null, email_lower: null, erased_at: now, updated_at: now };
    return await ctx.stores.staff.save(removed, set, tx);
  });
}

/**
 * Deletes the row of a member and all that belongs to it, in the caller's transaction, for the erasure of the partner: there is no
 * owner to keep, and nobody is left who asks for the name.
 */
export async function deleteMember(
  ctx: WriteContext & Pick<Context, 'idempotency' | 'macs'>,
  tx: Session,
  member: StaffMember,
): Promise<void> {
  const { _id } = member;
  await forgetPlaces(ctx, tx, member);
  await removeBelongings(ctx, tx, member);
  await ctx.stores.staffSessions.removeAll(_id, tx);
  await ctx.stores.staff.remove(_id, tx);
  await removeCodes(ctx, tx, member);
  if (member.removed_at === null) await announceEnd(ctx, tx, member, null);
  await ctx.stores.revocations.add(tx, { kind: 'staff', id: _id });
}

/** Forgets where a member signed in, unless the address is another active member's, too. */
async function forgetPlaces(
  ctx: Pick<Context, 'macs' | 'stores'>,
  tx: Session,
  member: StaffMember,
): Promise<void> {
  const { email_lower } = member;
  if (email_lower === null || (await ctx.stores.staff.isActiveElsewhere(member, tx))) return;
  const name = signInName('staff', email_lower);
  await ctx.stores.knownNetworks.removeAll(knownNetworkEmails(ctx.macs, name), tx);
}
