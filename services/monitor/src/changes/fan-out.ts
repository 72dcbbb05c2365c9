import { transaction } from '@casewatch/platform/database';
import { type FanOut, passOn } from '../domain/fan-out.ts';
import {
  checkOverdueEvents,
  monitoringChangedEvents,
  statusUpdatedEvents,
} from '../present/status-events.ts';
import type { ChangeContext } from './change-receipt.ts';

/** Cases in one transaction: few, so that the change of one case waits little behind a change of 100,000. */
const casesPerBatch = 500;

/**
 * Brings a change to the next cases of its receipt. One transaction writes the events, what the cases know, and how far the
 * change has got. Returns the rest of the work, or null.
 * @throws ConflictError if another process changed a watch or did this work
 */
export async function fanOutBatch(ctx: ChangeContext, fanOut: FanOut): Promise<FanOut | null> {
  const { fanOuts, watches } = ctx.stores;
  const { revision, at, updates, monitoring, overdue } = fanOut;
  const rows = await watches.findConcerned(fanOut, casesPerBatch);
  const last = rows.length === casesPerBatch ? (rows.at(-1)?._id ?? null) : null;
  const passed = updates ? rows.flatMap((watch) => passOn(watch, updates) ?? []) : [];
  const events = passed.map(async ({ update }) => {
    if (!update || !updates) return [];
    return statusUpdatedEvents(update, updates.shown, { id: await ctx.ids.next('status_update'), at });
  });
  const updated = (await Promise.all(events)).flat();
  const active = rows.filter((watch) => watch.active);
  const changes = monitoring
    ? active.flatMap((watch) => monitoringChangedEvents(watch, { ...monitoring, revision }, at))
    : [];
  const late = overdue ? active.flatMap((watch) => checkOverdueEvents(watch, overdue, at)) : [];
  await transaction(ctx.db, async (session) => {
    await fanOuts.advance(fanOut, last, session);
    await watches.noteLastUpdates(passed, session);
    await ctx.outbox.addAll(session, 'status.updated', updated);
    await ctx.outbox.addAll(session, 'status.monitoring_changed', changes);
    await ctx.outbox.addAll(session, 'status.check_overdue', late);
  });
  return last === null ? null : { ...fanOut, after_case_id: last };
}
