import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { publishAlerts } from './change-alerts.ts';

/**
 * Deletes what a removed member was to be told, and says that it is not told. Of what is urgent the next in line is: the removal alone
 * must hide nothing from the firm.
 */
export async function removeMember(
  { db, stores, outbox, signals }: Context,
  staffId: number,
): Promise<number> {
  const alerts = await transaction(db, async (session) => {
    const pending = await stores.alerts.pendingOfStaff(session, staffId);
    const urgent = pending.filter((row) => row.urgent).map(({ news_id }) => news_id);
    await stores.firmNews.reopen(session, urgent, staffId);
    const ended = pending.map((row) => ({ ...row, status: 'skipped' as const, revision: row.revision + 1 }));
    await publishAlerts({ outbox }, session, ended);
    return await stores.alerts.deleteOfStaff(staffId, session);
  });
  await stores.memberMails.deleteOfStaff(staffId);
  await stores.alertTurns.deleteOfStaff(staffId);
  signals.emit('news');
  return alerts;
}

/** Deletes what the firm of an erased partner was to be told. News first: alerts are made from it. */
export async function erasePartner({ stores }: Context, partnerId: number): Promise<void> {
  await stores.firmNews.deleteOfPartner(partnerId);
  await stores.alerts.deleteOfPartner(partnerId);
  await stores.memberMails.deleteOfPartner(partnerId);
  await stores.alertTurns.deleteOfPartner(partnerId);
}

/** A removal or an erasure writes its tombstone before it deletes, so it misses rows of this moment: they go here. */
export async function eraseRemoved(
  ctx: Context,
  { partnerId, memberIds }: { partnerId: number; memberIds: readonly number[] },
): Promise<void> {
  if (await ctx.stores.partnerTombstones.has(partnerId)) return await erasePartner(ctx, partnerId);
  const removed = await ctx.stores.staffTombstones.among(memberIds);
  for (const staffId of removed) await removeMember(ctx, staffId);
}

/** The same of the cases of an erased person. */
export async function eraseNewsOfUser({ stores }: Pick<Context, 'stores'>, userId: number): Promise<void> {
  await stores.firmNews.deleteOfUser(userId);
  await stores.alerts.deleteOfUser(userId);
}
