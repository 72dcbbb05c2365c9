import { type Channel, channel, type StatusUpdated } from '@casewatch/contracts';
import { type EventHandler, isDuplicateKey, PoisonError, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { factsOf } from '../domain/notification-facts.ts';
import { type SkipReason, skipError } from '../domain/skip-reason.ts';
import { presentNotification } from '../present/notification.ts';
import type { NewNotification } from '../store/notification-row.ts';

/** Stores one notification per channel, and is done: the bus is never held while something is sent. */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  return async (data) => {
    const userId = data.case.user_id;
    if (await ctx.stores.tombstones.has(userId)) return;
    const rows = channel.options.map((name) => newRow(data, name, ctx.clock.now()));
    try {
      await transaction(ctx.db, async (session) => {
        await ctx.stores.notifications.insert(session, rows);
        for (const row of rows.filter(({ status }) => status === 'skipped')) {
          const about = `status_update/${row.status_update_id}`;
          await ctx.outbox.add(session, 'notification.updated', about, presentNotification(row));
        }
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // The event came before: its rows are there.
      for (const row of rows) await refuseAnotherCase(ctx, row);
      return;
    }
    // The deletion may have come between the look above and the insert; it writes its tombstone before it looks.
    if (await ctx.stores.tombstones.has(userId)) await ctx.stores.notifications.deleteOfUser(userId);
    for (const row of rows) if (row.status === 'pending') ctx.signals.emit(row.channel);
  };
}

/** @throws PoisonError with ids alone, where the monitor gave one id to updates of two cases */
async function refuseAnotherCase(ctx: Context, { _id, ...row }: NewNotification): Promise<void> {
  const known = await ctx.stores.notifications.find(_id);
  if (!known || known.case_id === row.case_id) return;
  const { status_update_id: id, case_id: caseId } = row;
  throw new PoisonError(`StatusUpdate ${id} is of case ${known.case_id}; not of case ${caseId}`);
}

function newRow(data: StatusUpdated, name: Channel, now: Date): NewNotification {
  const { case: about, status_update: update } = data;
  const reason = reasonOnArrival(data);
  const skipped = reason !== null;
  return {
    _id: `${update.id}:${name}`,
    status_update_id: update.id,
    case_id: about.id,
    user_id: about.user_id,
    partner_id: about.partner_id,
    channel: name,
    facts: skipped ? null : factsOf(data),
    observed_at: new Date(update.timestamp),
    status: skipped ? 'skipped' : 'pending',
    reason,
    attempts: 0,
    last_error: skipped ? skipError(reason) : null,
    sent_at: null,
    revision: skipped ? 1 : 0,
    lease_until: null,
    fence: 0,
    ambiguous: false,
    attempt_started_at: null,
    provider_message_id: null,
    provider_rank: 0,
    created_at: now,
  };
}

/** A translation that appears later is no news to anybody. */
function reasonOnArrival({ skip_reason, status_update }: StatusUpdated): SkipReason | null {
  return skip_reason ?? (status_update.kind === 'translation' ? 'no_content_change' : null);
}
