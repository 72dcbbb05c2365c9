import { randomBytes } from 'node:crypto';
import { maxActiveMembers, toIso } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { recordStaffAct } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { Pepper } from '../credentials/macs.ts';
import type { Partner } from '../store/partners.ts';
import { loadSession } from './sign-in.ts';

// One secret address per member opens a calendar without a sign-in (firm.md §4). It is off until the member makes it. Whoever has
// it sees days and the firm's own words for its cases, so it is asked for here each time: no copy outlives its end.

/** Bytes of a secret: 256 bits. */
const secretBytes = 32;

function macOf(secret: string, pepper: Pepper): string {
  return pepper.mac('staff-calendar', secret).toString('base64url');
}

/** @throws ApiError console_session_ended */
export function answerOwnCalendar(ctx: Context): RequestHandler<'identity.own_calendar'> {
  return async ({ token }) => {
    const { session } = await loadSession(ctx, token);
    const [address, partner] = await Promise.all([
      ctx.stores.calendarAddresses.find(session.staff_id),
      ctx.stores.partners.find(session.partner_id),
    ]);
    return { created_at: address && toIso(address.created_at), is_allowed: allowsAddresses(partner) };
  };
}

/**
 * The secret is in this answer and nowhere else.
 * @throws ApiError console_session_ended; insufficient_role where the firm allows no addresses
 */
export function answerChangeCalendar(ctx: Context): RequestHandler<'identity.change_calendar'> {
  return async ({ token, action, address: callerAddress }) => {
    const { session } = await loadSession(ctx, token);
    const { staff_id, partner_id } = session;
    const secret = action === 'create' ? randomBytes(secretBytes).toString('base64url') : null;
    await transaction(ctx.db, async (tx) => {
      const member = await ctx.stores.staff.find(staff_id, tx);
      if (member === null || member.removed_at !== null || member.status !== 'active')
        throw new ApiError('console_session_ended');
      if (secret !== null) await assertAllowed(ctx, partner_id, tx);
      if (secret === null) {
        if (!(await ctx.stores.calendarAddresses.remove(staff_id, tx))) return;
      } else {
        const created_at = ctx.clock.now();
        // Conflicts with a removal of the member, which would not see the address and leave it.
        await ctx.stores.staff.save(member, { updated_at: created_at }, tx);
        const secret_mac = macOf(secret, ctx.macs);
        await ctx.stores.calendarAddresses.put({ _id: staff_id, partner_id, secret_mac, created_at }, tx);
      }
      const act = secret === null ? 'end_calendar_address' : 'create_calendar_address';
      await recordStaffAct(ctx, tx, { member, act, address: callerAddress });
    });
    return { secret };
  };
}

function allowsAddresses(partner: Partner | null): boolean {
  return partner?.calendar_addresses !== false;
}

/** @throws ApiError insufficient_role */
async function assertAllowed(ctx: Context, partnerId: number, tx: Session): Promise<void> {
  const partner = await ctx.stores.partners.find(partnerId, tx);
  if (allowsAddresses(partner)) return;
  throw new ApiError('insufficient_role', {
    message: 'Your organization does not allow calendar addresses. An owner can allow them in the settings.',
  });
}

/** Null for an unknown secret, for one that ended, and while the member or the partner has no access: all look alike. */
export function answerCalendar(ctx: Context): RequestHandler<'identity.calendar'> {
  return async ({ secret }) => {
    const macs = ctx.macs.ring.map((pepper) => macOf(secret, pepper));
    const address = await ctx.stores.calendarAddresses.findBySecret(macs);
    if (address === null) return { member: null };
    const { _id: staff_id, partner_id } = address;
    const [member, partner, active] = await Promise.all([
      ctx.stores.staff.find(staff_id),
      ctx.stores.partners.find(partner_id),
      ctx.stores.staff.activeById(partner_id, maxActiveMembers),
    ]);
    // An address that was made while the setting changed does not open either.
    const isAllowed = partner?.status === 'active' && allowsAddresses(partner);
    const isOpen = isAllowed && member?.status === 'active' && member.removed_at === null;
    return { member: isOpen ? { partner_id, staff_id, active_ids: active.map(({ _id }) => _id) } : null };
  };
}
