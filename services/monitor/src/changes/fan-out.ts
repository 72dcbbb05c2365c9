import { transaction } from '@casewatch/platform/database';
import { givenAs } from '../domain/case-update.ts';
import { type FanOut, passOn, touchedUpdates, type UpdatesForCases } from '../domain/fan-out.ts';
import type { Watch } from '../domain/receipt.ts';
import {
  checkOverdueEvents,
  monitoringChangedEvents,
  statusTouchedEvents,
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
  const { revision, at, updates, monitoring, overdue, touch } = fanOut;
  const rows = await watches.findConcerned(fanOut, casesPerBatch);
  const last = rows.length === casesPerBatch ? (rows.at(-1)?._id ?? null) : null;
  const passed = updates ? rows.map((watch) => passToCase(ctx, watch, { updates, at })) : [];
  const known = (await Promise.all(passed)).filter((part) => part !== null);
  const updated = known.flatMap(({ events }) => events);
  const touched = touch ? touchedUpdates(rows, known, touch) : [];
  const active = rows.filter((watch) => watch.active);
  const changes = monitoring
    ? active.flatMap((watch) => monitoringChangedEvents(watch, { ...monitoring, revision }, at))
    : [];
  const late = overdue ? active.flatMap((watch) => checkOverdueEvents(watch, overdue, at)) : [];
  await transaction(ctx.db, async (session) => {
    await fanOuts.advance(fanOut, last, session);
    await watches.noteLastUpdates(known, session);
    await ctx.outbox.addAll(session, 'status.updated', updated);
    await ctx.outbox.addAll(session, 'status.touched', statusTouchedEvents(touched, touch));
    await ctx.outbox.addAll(session, 'status.monitoring_changed', changes);
    await ctx.outbox.addAll(session, 'status.check_overdue', late);
  });
  return last === null ? null : { ...fanOut, after_case_id: last };
}

type Change = { updates: UpdatesForCases; at: Date };

/** The events of one case, and what the case knows then. Null if the case has got the change. */
async function passToCase(ctx: ChangeContext, watch: Watch, { updates, at }: Change) {
  const passed = passOn(watch, updates);
  if (!passed) return null;
  const { update, known } = passed;
  if (!update) {
    // What was confirmed or dropped needs not be told any more.
    const lastUpdate = updates.mode === 'changed' ? known : { ...known, untold: null };
    return { watch, events: [], lastUpdate };
  }
  const id = update.again?.id ?? (await ctx.ids.next('status_update'));
  const { given, lastUpdate } = givenAs(update, updates.shown, { id, at });
  const events = statusUpdatedEvents(update, updates.shown, given);
  return { watch, events, lastUpdate: { ...known, ...lastUpdate } };
}
