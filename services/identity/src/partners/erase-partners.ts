import { ApiError, every, type Running } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { eraseUser } from '../changes/change-user.ts';
import { logSessionsEnded } from '../changes/end-sessions.ts';
import type { Context } from '../context.ts';
import { deleteMember } from '../staff/retention.ts';
import type { Partner } from '../store/partners.ts';

// The erasure of a partner whose grace has ended (firm.md §6, ADR 0094): its people by the path of every erasure, its members, and
// all that names it; at last the partner itself, with `partner.deleted` for the other services. Each step is a small transaction that
// may be repeated, so a process that dies in between leaves the rest to the next one. One process at a time erases a partner: it holds
// a claim on the row, by the database's clock.

/** How often due deletions are looked for, ms. */
const roundMs = 10_000;
/** Another process goes on this long after the last step of one that died, ms. Longer than a step. */
const claimMs = 30_000;
const peopleAtOnce = 25;
const rowsAtOnce = 500;
/**
 * The partner itself stays this long after its access ended, ms: whatever was under way then has ended. A gateway serves for up to
 * 2 s more, a call takes some seconds, and MongoDB ends a transaction after 60 s. So nobody whom such a call created is left behind.
 */
export const settleMs = 90_000;

export function erasePartners(ctx: Context): Running {
  return every(
    roundMs,
    async (signal) => {
      while (!signal.aborted) {
        const partner = await ctx.stores.partners.claimErasure(claimMs);
        if (!partner) return;
        await eraseClaimed(ctx, partner, signal);
      }
    },
    (error) => ctx.log.warn({ err: error }, 'deleted partners not erased; trying again'),
  );
}

async function eraseClaimed(ctx: Context, partner: Partner, signal: AbortSignal): Promise<void> {
  const { _id: partnerId } = partner;
  for (const step of steps) {
    for (let more = true; more; ) {
      if (signal.aborted) return await ctx.stores.partners.keepErasure(partnerId, 0);
      more = await step(ctx, partnerId);
      await ctx.stores.partners.keepErasure(partnerId, claimMs);
    }
  }
  const isErased = await eraseItself(ctx, partnerId);
  if (isErased) ctx.log.info({ partner_id: partnerId }, 'partner erased');
  else await ctx.stores.partners.keepErasure(partnerId, roundMs);
}

/** Erases some rows; true if there may be more. */
type Step = (ctx: Context, partnerId: number) => Promise<boolean>;

const steps: readonly Step[] = [
  erasePeople,
  eraseMembers,
  (ctx, id) => removeSome(ctx.stores.staffSessions, id),
  (ctx, id) => removeSome(ctx.stores.staffInvitations, id),
  (ctx, id) => removeSome(ctx.stores.staffNotices, id),
  (ctx, id) => removeSome(ctx.stores.consoleLinks, id),
  (ctx, id) => removeSome(ctx.stores.consoleSessions, id),
  (ctx, id) => removeSome(ctx.stores.replyToRequests, id),
  (ctx, id) => removeSome(ctx.stores.apiKeys, id),
  (ctx, id) => removeSome(ctx.stores.audit, id),
];

async function erasePeople(ctx: Context, partnerId: number): Promise<boolean> {
  const ids = await ctx.stores.users.someOfPartner(partnerId, peopleAtOnce);
  for (const id of ids) {
    const isErased = await transaction(ctx.db, async (tx) => {
      const user = await ctx.stores.users.find(id, tx);
      if (user) await eraseUser(ctx, tx, user);
      return user !== null;
    });
    if (isErased) logSessionsEnded(ctx, id, { reason: 'user_deleted' });
  }
  return ids.length === peopleAtOnce;
}

async function eraseMembers(ctx: Context, partnerId: number): Promise<boolean> {
  const members = await ctx.stores.staff.someOfPartner(partnerId, peopleAtOnce);
  for (const { _id } of members)
    await transaction(ctx.db, async (tx) => {
      const member = await ctx.stores.staff.find(_id, tx);
      if (member) await deleteMember(ctx, tx, member);
    });
  return members.length === peopleAtOnce;
}

type Rows = { removeSome(partnerId: number, limit: number): Promise<number> };

async function removeSome(rows: Rows, partnerId: number): Promise<boolean> {
  return (await rows.removeSome(partnerId, rowsAtOnce)) === rowsAtOnce;
}

/** False: not yet. What came meanwhile is erased by the next round. */
async function eraseItself(ctx: Context, partnerId: number): Promise<boolean> {
  return await transaction(ctx.db, async (tx) => {
    const { stores } = ctx;
    const partner = await stores.partners.find(partnerId, tx);
    if (!partner?.deletion) throw new ApiError('internal_error', { detail: `no deletion of ${partnerId}` });
    if (ctx.clock.now().getTime() < partner.deletion.requested_at.getTime() + settleMs) return false;
    const left = [
      await stores.users.someOfPartner(partnerId, 1, tx),
      await stores.staff.someOfPartner(partnerId, 1, tx),
      await stores.apiKeys.listOfPartner(partnerId, tx),
    ];
    if (left.flat().length > 0) return false;
    await stores.logos.remove(partnerId, tx);
    await ctx.idempotency.erase(tx, `partner/${partnerId}`);
    await stores.partners.remove(partnerId, tx);
    await ctx.outbox.add(tx, 'partner.deleted', `partner/${partnerId}`, { partner_id: partnerId });
    await stores.revocations.add(tx, { kind: 'partner', id: partnerId });
    return true;
  });
}
