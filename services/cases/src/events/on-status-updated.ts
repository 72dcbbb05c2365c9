import type { StatusUpdated } from '@casewatch/contracts';
import { type EventHandler, PoisonError, type Session, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { firstChannelState } from '../domain/notify.ts';
import { toObserved } from '../domain/observed.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';

/** Stores and counts a StatusUpdate once. A missing case is no error: the user was erased. */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  return async (data) => {
    await transaction(ctx.db, (session) => store(ctx, session, data));
  };
}

async function store(ctx: Context, session: Session, data: StatusUpdated): Promise<void> {
  const { title_modified_date } = data;
  const { id, kind, observation, timestamp, ...facts } = data.status_update;
  const row = await ctx.stores.cases.find(data.case.id, session);
  if (row === null) return;
  const stored = await ctx.stores.statusUpdates.find(id, session);
  if (stored !== null) assertSameUpdate(stored, data);
  if (stored !== null && isComplete(stored)) return;

  const observed = toObserved(facts, { kind, observation, timestamp, title_modified_date });
  const channel = firstChannelState(data.skip_detail ?? data.skip_reason);
  if (stored) await ctx.stores.statusUpdates.complete(session, stored, { observed, channel });
  else await ctx.stores.statusUpdates.insert(session, { id, caseId: row._id, observed, channel });

  const isNewest = row.latest_update === null || observation > row.latest_update.observation;
  const latest = isNewest ? { id, ...observed } : null;
  await ctx.stores.cases.addUpdate(session, row._id, { at: observed.timestamp, latest });
}

/** @throws PoisonError if the monitor used the id twice, for example after a restore without its counters */
function assertSameUpdate(
  stored: StatusUpdateRow,
  { case: { id: caseId }, status_update }: StatusUpdated,
): void {
  const { id, observation } = status_update;
  const isSame = !isComplete(stored) || stored.observation === observation;
  if (stored.case_id === caseId && isSame) return;
  const existing = `case ${stored.case_id}, observation ${stored.observation ?? 'unknown'}`;
  throw new PoisonError(
    `StatusUpdate ${id} is of ${existing}; not of case ${caseId}, observation ${observation}`,
  );
}

/** A row that a notification began has no observation. */
function isComplete(row: { observation?: number | null }): boolean {
  return typeof row.observation === 'number';
}
