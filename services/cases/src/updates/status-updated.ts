import { asksForAnswer, isUrgent, type StatusUpdated } from '@casewatch/contracts';
import { type EventHandler, PoisonError } from '@casewatch/platform';
import { databaseTime, type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { type Change, firstChannelState, newChange, toObserved } from '../rules/status-update.ts';
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

async function store({ db, stores }: Context, session: Session, event: StatusUpdated): Promise<void> {
  const { id } = event.status_update;
  const caseId = event.case.id;
  const [stored, now] = await Promise.all([stores.statusUpdates.find(id, session), databaseTime(db)]);
  const conflict = stored && conflictOf(stored, event);
  if (conflict && (await stores.cases.find(caseId, session))) throw conflict;
  if (conflict || stored?.observation != null) return;
  const seen = observedIn(event);
  const addition = { id: caseId, update: { id, ...seen }, isChange: isChange(event) };
  // The case is written before, so an assignment at the same time comes wholly before or after this.
  const ofCase = await stores.cases.addUpdate(session, addition);
  if (ofCase === null) return;
  const observed = { ...seen, respond_by: ofCase.respond_by };
  const channel = firstChannelState(event.skip_detail ?? event.skip_reason);
  const isListed = addition.isChange || isAlreadyOpen(event);
  const change = isListed ? changeOf(event, now, ofCase.assignee_id ?? null) : null;
  if (stored) await stores.statusUpdates.complete(session, stored, { observed, channel, change });
  else await stores.statusUpdates.insert(session, { id, caseId, observed, channel, change });
}

function observedIn({ status_update, title_modified_date, spanish_source }: StatusUpdated) {
  return toObserved(status_update, { ...status_update, title_modified_date, spanish_source });
}

/** Null for a direct user: no firm reads it. */
function changeOf(
  { case: reference, status_update, previous_status_code }: StatusUpdated,
  at: Date,
  assignee_id: number | null,
): Change | null {
  const { partner_id } = reference;
  if (partner_id === null) return null;
  const urgent = isUrgent(status_update);
  const already_open = status_update.kind === 'baseline';
  return newChange({ partner_id, at, urgent, previous_status_code, assignee_id, already_open });
}

/** A first status that asks for an answer, of a case whose first check came after its creation: its deadline runs (firm.md §3). */
function isAlreadyOpen({ status_update }: StatusUpdated): boolean {
  return status_update.kind === 'baseline' && asksForAnswer(status_update);
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
