import type { Channel, EventData } from '@casewatch/contracts';
import { type EventHandler, PoisonError, RetryLaterError, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ChannelState } from '../domain/notify.ts';

/**
 * How one channel of a StatusUpdate stands, under the StatusUpdate's id: the higher revision wins. It may come before
 * the StatusUpdate itself; the row that it begins is not shown or counted until it is whole.
 */
export function onNotificationUpdated(ctx: Context): EventHandler<'notification.updated'> {
  return async (data) => {
    const { channel } = data;
    // A channel that this release does not know has no fields to show it in.
    if (channel === 'other') return;
    const state = stateOf(data);
    const { status_update_id: id, case_id: caseId } = data;
    if (await ctx.stores.statusUpdates.setChannel({ id, caseId, channel }, state)) return;
    await beginOrIgnore(ctx, { ...data, channel }, state);
  };
}

/** Nothing was there to set: a stale word, a case that is gone, or an update that has not come yet. */
async function beginOrIgnore(
  ctx: Context,
  {
    status_update_id: id,
    case_id: caseId,
    channel,
  }: EventData<'notification.updated'> & { channel: Channel },
  state: ChannelState,
): Promise<void> {
  await transaction(ctx.db, async (session) => {
    const stored = await ctx.stores.statusUpdates.find(id, session);
    if (stored && stored.case_id !== caseId)
      throw new PoisonError(`StatusUpdate ${id} is of case ${stored.case_id}; not of case ${caseId}`);
    if (stored && stored[`${channel}_notify_revision`] >= state.revision) return;
    if (stored) throw new RetryLaterError('the StatusUpdate came at this moment');
    if (!(await ctx.stores.cases.attach(session, caseId))) return;
    await ctx.stores.statusUpdates.begin(session, { id, caseId, channel, state });
  });
}

function stateOf(data: EventData<'notification.updated'>): ChannelState {
  const { revision, status, attempts, last_error, sent_at } = data;
  return { revision, status, attempts, last_error, sent_at: sent_at === null ? null : new Date(sent_at) };
}
