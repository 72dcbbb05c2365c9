import type { StatusUpdated } from '@casewatch/contracts';
import { type EventHandler, PoisonError } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { firstChannelState, toObserved } from '../rules/status-update.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';

/**
 * Stores a status update and counts it in its case, once: the monitor may publish it again under the same id. A case that
 * is gone was erased with its user; its updates are dropped.
 */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  return async (event) => {
    // Two events of one case conflict on the row of the case, so the later one sees what the other has stored.
    await transaction(ctx.db, (session) => store(ctx, session, event));
  };
}

async function store({ stores }: Context, session: Session, event: StatusUpdated): Promise<void> {
  const { id } = event.status_update;
  const caseId = event.case.id;
  const stored = await stores.statusUpdates.find(id, session);
  const conflict = stored && conflictOf(stored, event);
  if (conflict && (await stores.cases.find(caseId, session))) throw conflict;
  if (conflict || stored?.observation != null) return;
  const observed = observedIn(event);
  const addition = { id: caseId, update: { id, ...observed }, isChange: isChange(event) };
  if (!(await stores.cases.addUpdate(session, addition))) return;
  const channel = firstChannelState(event.skip_detail ?? event.skip_reason);
  if (stored) await stores.statusUpdates.complete(session, stored, { observed, channel });
  else await stores.statusUpdates.insert(session, { id, caseId, observed, channel });
}

function observedIn({ status_update, title_modified_date, spanish_source }: StatusUpdated) {
  return toObserved(status_update, { ...status_update, title_modified_date, spanish_source });
}

/** Whether a person at the firm would call it a change: not a first status, not a translation, and something new to read. */
function isChange({ status_update: { kind }, skip_reason, skip_detail }: StatusUpdated): boolean {
  if (kind === 'baseline' || kind === 'translation') return false;
  return skip_reason !== 'no_content_change' || skip_detail != null;
}

/** The monitor used the id twice, for example after a restore without its counters. A row that a notification began has no observation. */
function conflictOf(
  stored: StatusUpdateRow,
  { case: { id: caseId }, status_update }: StatusUpdated,
): PoisonError | undefined {
  const { id, observation } = status_update;
  const isSame = stored.observation == null || stored.observation === observation;
  if (stored.case_id === caseId && isSame) return undefined;
  const existing = `case ${stored.case_id}, observation ${stored.observation ?? 'unknown'}`;
  return new PoisonError(
    `StatusUpdate ${id} is of ${existing}; not of case ${caseId}, observation ${observation}`,
  );
}
