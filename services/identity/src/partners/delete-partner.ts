import { RefusedError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import { changePartner } from '../changes/change-partner.ts';
import type { WriteContext } from '../context.ts';
import { tellOwners } from '../staff/notices.ts';
import type { Partner } from '../store/partners.ts';

// The deletion of a partner by an operator (firm.md §6, ADR 0094), until its grace ends: nobody of the partner gets in, endpoints
// wait, people are told of their cases as before, and everything can be restored. The erasure after it is in erase-partners.ts.

const dayMs = 24 * 60 * 60 * 1_000;

/** How long a deletion can be undone. */
export const graceDays = 30;

/** The notifier may be away for some time; the mail is worth sending for a week. */
const mailMs = 7 * dayMs;

/**
 * Begins the deletion in the caller's transaction, or with `isNow` ends its grace. Keys, sessions and links of the console end
 * within 2 s; the owners are told, but not if the erasure takes their addresses immediately.
 * @throws RefusedError if the deletion has begun
 */
export async function beginDeletion(
  ctx: WriteContext,
  tx: Session,
  { partner, isNow }: { partner: Partner; isNow: boolean },
): Promise<Date> {
  const now = ctx.clock.now();
  const { _id: partnerId, deletion, status } = partner;
  if (deletion && !isNow)
    throw new RefusedError(
      `Partner ${partnerId} is being deleted already. Give --now to erase it immediately.`,
    );
  const due_at = isNow ? now : new Date(now.getTime() + graceDays * dayMs);
  if (!isNow) {
    const delivery = await ctx.stores.staffNotices.mails.newDelivery();
    const news = { kind: 'partner_deletion', ends_at: due_at, lastsMs: mailMs } as const;
    await tellOwners(ctx, tx, { partnerId, news, delivery });
  }
  await ctx.stores.staffSessions.endAllOfPartner(partnerId, now, tx);
  await ctx.stores.consoleSessions.endAllOfPartner(partnerId, now, tx);
  await ctx.stores.consoleLinks.removeUnused(partnerId, tx);
  const begun = deletion ?? { requested_at: now, status_before: status };
  await changePartner(ctx, tx, {
    partnerId,
    set: { status: 'suspended', deletion: { ...begun, due_at } },
  });
  return due_at;
}

/**
 * Undoes the deletion within its grace. Keys work again and deliveries go on; who was signed in signs in again.
 * @throws RefusedError without a deletion, or if the erasure has begun
 */
export async function restorePartner(ctx: WriteContext, tx: Session, partner: Partner): Promise<Partner> {
  const { _id: partnerId, deletion } = partner;
  if (!deletion) throw new RefusedError(`Partner ${partnerId} is not being deleted.`);
  if (deletion.claimed_until || deletion.due_at <= ctx.clock.now())
    throw new RefusedError(`The erasure of partner ${partnerId} has begun. It cannot be restored.`);
  const set = { status: deletion.status_before, deletion: null };
  return await changePartner(ctx, tx, { partnerId, set });
}
