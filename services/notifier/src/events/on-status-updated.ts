import { type Channel, channel, type StatusUpdated } from '@casewatch/contracts';
import { type EventHandler, isDuplicateKey, PoisonError, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { factsOf } from '../domain/notification-facts.ts';
import { type SkipReason, skipError } from '../domain/skip-reason.ts';
import { presentNotification } from '../present/notification.ts';
import type { NewNotification } from '../store/notification-model.ts';

/** Stores one notification per channel. The loops send them. */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  return async (data) => {
    const userId = data.case.user_id;
    if (await ctx.stores.tombstones.has(userId)) return;
    const rows = channel.options.map((name) => newRow(data, name, ctx.clock.now()));
    try {
      await transaction(ctx.db, async (session) => {
        await ctx.stores.notifications.insert(session, rows);
        for (const row of rows.filter(({ status }) => status === 'skipped')) {
          const subject = `status_update/${row.status_update_id}`;
          await ctx.outbox.add(session, 'notification.updated', subject, presentNotification(row));
        }
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // A redelivered event: the rows are stored.
      for (const row of rows) await assertSameCase(ctx, row);
      return;
    }
    // The user may have been deleted meanwhile: the deletion writes its tombstone before it erases.
    if (await ctx.stores.tombstones.has(userId)) await ctx.stores.notifications.deleteOfUser(userId);
    for (const row of rows) if (row.status === 'pending') ctx.signals.emit(row.channel);
  };
}

/** @throws PoisonError if the monitor gave one id to updates of two cases */
async function assertSameCase(ctx: Context, { _id, ...row }: NewNotification): Promise<void> {
  const stored = await ctx.stores.notifications.find(_id);
  if (!stored || stored.case_id === row.case_id) return;
  const { status_update_id: id, case_id: caseId } = row;
  throw new PoisonError(`StatusUpdate ${id} is of case ${stored.case_id}; not of case ${caseId}`);
}

function newRow(data: StatusUpdated, name: Channel, now: Date): NewNotification {
  const { case: reference, status_update: update } = data;
  const reason = reasonOnArrival(data);
  const skipped = reason !== null;
  return {
    _id: `${update.id}:${name}`,
    status_update_id: update.id,
    case_id: reference.id,
    user_id: reference.user_id,
    partner_id: reference.partner_id,
    channel: name,
    facts: skipped ? null : factsOf(data, now),
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

function reasonOnArrival({ skip_reason, skip_detail, status_update }: StatusUpdated): SkipReason | null {
  return skip_detail ?? skip_reason ?? (status_update.kind === 'translation' ? 'no_content_change' : null);
}
