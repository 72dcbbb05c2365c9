import { transaction } from '@casewatch/platform/database';
import { type CaseUpdate, knownFrom, toldAfter } from '../domain/case-update.ts';
import { type FanOut, hasGot, toldBefore, updateFor } from '../domain/fan-out.ts';
import type { Watch } from '../domain/receipt.ts';
import {
  checkOverdueEvents,
  monitoringChangedEvents,
  statusUpdatedEvents,
} from '../present/status-events.ts';
import type { KnownByCase } from '../store/watches.ts';
import type { ChangeContext } from './retry-on-conflict.ts';

/** Cases in one transaction: few, so that the change of one case waits little behind a change of 100,000. */
const casesPerBatch = 500;

/**
 * Brings a change to the next cases of its receipt. One transaction writes the events, what the cases know, and how far the
 * change has got. Returns the rest of the work, or null.
 * @throws ConflictError if another process changed a watch or did this work
 */
export async function fanOutBatch(ctx: ChangeContext, fanOut: FanOut): Promise<FanOut | null> {
  const { fanOuts, watches } = ctx.stores;
  const { revision, at, monitoring, overdue } = fanOut;
  const rows = await watches.findConcerned(fanOut, casesPerBatch);
  const last = rows.length === casesPerBatch ? (rows.at(-1)?._id ?? null) : null;
  const { events, known } = await updatesOf(ctx, rows, fanOut);
  const active = rows.filter((watch) => watch.active);
  const changes = monitoring
    ? active.flatMap((watch) => monitoringChangedEvents(watch, { ...monitoring, revision }, at))
    : [];
  const late = overdue ? active.flatMap((watch) => checkOverdueEvents(watch, overdue, at)) : [];
  await transaction(ctx.db, async (session) => {
    await fanOuts.advance(fanOut, last, session);
    await watches.noteLastUpdates(known, session);
    await ctx.outbox.addAll(session, 'status.updated', events);
    await ctx.outbox.addAll(session, 'status.monitoring_changed', changes);
    await ctx.outbox.addAll(session, 'status.check_overdue', late);
  });
  return last === null ? null : { ...fanOut, after_case_id: last };
}

async function updatesOf(ctx: ChangeContext, watches: readonly Watch[], { updates, at }: FanOut) {
  if (!updates) return { events: [], known: [] };
  const { shown, mode, change } = updates;
  const known: KnownByCase[] = [];
  const caseUpdates: CaseUpdate[] = [];
  for (const watch of watches.filter((row) => !hasGot(row, shown))) {
    const update = updateFor(watch, updates);
    const told = toldAfter(shown, update ?? (mode === 'changed' ? change : null), toldBefore(watch, updates));
    known.push({ watch, lastUpdate: knownFrom(shown, told) });
    if (update) caseUpdates.push(update);
  }
  const events = await Promise.all(
    caseUpdates.map(async (update) =>
      statusUpdatedEvents(update, shown, { id: await ctx.ids.next('status_update'), at }),
    ),
  );
  return { events: events.flat(), known };
}
