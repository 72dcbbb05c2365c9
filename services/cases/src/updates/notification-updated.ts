import type { Channel, EventData } from '@casewatch/contracts';
import { type EventHandler, PoisonError, RetryLaterError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { ChannelState } from '../rules/status-update.ts';

/**
 * Stores the state of one channel; the highest revision wins. If the event comes before its StatusUpdate, it begins a
 * row that is not shown until `status.updated` completes the row.
 */
export function onNotificationUpdated(ctx: Context): EventHandler<'notification.updated'> {
  return async (data) => {
    const { channel } = data;
    // This release has no fields for other channels.
    if (channel === 'other') return;
    const state = stateOf(data);
    const { status_update_id: id, case_id: caseId } = data;
    if (await ctx.stores.statusUpdates.setChannel({ id, caseId, channel }, state)) return;
    await beginOrIgnore(ctx, { id, caseId, channel, state });
  };
}

type ChannelReport = { id: number; caseId: number; channel: Channel; state: ChannelState };

/** No row was set: the event is stale, the case is gone, or the StatusUpdate has not come yet. */
async function beginOrIgnore(ctx: Context, report: ChannelReport): Promise<void> {
  const { id, caseId, channel, state } = report;
  await transaction(ctx.db, async (session) => {
    const stored = await ctx.stores.statusUpdates.find(id, session);
    if (stored && stored.case_id !== caseId)
      throw new PoisonError(`StatusUpdate ${id} is of case ${stored.case_id}; not of case ${caseId}`);
    if (stored && stored[`${channel}_notify_revision`] >= state.revision) return;
    if (stored) throw new RetryLaterError('the StatusUpdate was stored at the same moment');
    if (!(await ctx.stores.cases.conflictWithErasure(session, caseId))) return;
    await ctx.stores.statusUpdates.insertIfMissing(session, report);
  });
}

function stateOf(data: EventData<'notification.updated'>): ChannelState {
  const { revision, status, attempts, last_error, sent_at } = data;
  return { revision, status, attempts, last_error, sent_at: sent_at === null ? null : new Date(sent_at) };
}
