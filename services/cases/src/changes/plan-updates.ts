import type { StatusUpdated } from '@casewatch/contracts';
import { PoisonError } from '@casewatch/platform';
import { firstChannelState } from '../domain/notify.ts';
import { toObserved } from '../domain/observed.ts';
import type { CaseAddition } from '../store/cases.ts';
import type { CompleteUpdate, StatusUpdateRow } from '../store/status-updates.ts';

export type Result = undefined | Error;

/** The cases of a batch that exist, and its updates that have a row. */
export type Known = { caseIds: ReadonlySet<number>; updates: ReadonlyMap<number, StatusUpdateRow> };

type Plan = {
  results: Result[];
  inserts: CompleteUpdate[];
  completions: (CompleteUpdate & { row: StatusUpdateRow })[];
  additions: Map<number, CaseAddition>;
};

type StoredUpdate = { case_id: number; observation?: number };

/** Decides what a batch writes. Without `known`, all cases exist and all updates are new. */
export function planUpdates(updates: readonly StatusUpdated[], known: Known | null): Plan {
  const stored = new Map<number, StoredUpdate>(known?.updates);
  const plan: Plan = { results: [], inserts: [], completions: [], additions: new Map() };
  for (const data of updates) {
    const { id } = data.status_update;
    const caseId = data.case.id;
    const exists = known?.caseIds.has(caseId) ?? true;
    const before = exists ? stored.get(id) : undefined;
    const conflict = before && conflictOf(before, data);
    plan.results.push(conflict);
    if (!exists || conflict || before?.observation != null) continue;
    const update = toComplete(data);
    const row = known?.updates.get(id);
    if (row) plan.completions.push({ ...update, row });
    else plan.inserts.push(update);
    stored.set(id, { case_id: caseId, observation: update.observed.observation });
    plan.additions.set(caseId, added(plan.additions.get(caseId), update, isChange(data)));
  }
  return plan;
}

function toComplete(event: StatusUpdated): CompleteUpdate {
  const { title_modified_date, spanish_source, skip_reason, skip_detail } = event;
  const { id } = event.status_update;
  const observed = toObserved(event.status_update, {
    ...event.status_update,
    title_modified_date,
    spanish_source,
  });
  return { id, caseId: event.case.id, observed, channel: firstChannelState(skip_detail ?? skip_reason) };
}

/** Whether a person at the firm would call it a change: not a first status, not a translation, and something new to read. */
function isChange({ status_update: { kind }, skip_reason, skip_detail }: StatusUpdated): boolean {
  if (kind === 'baseline' || kind === 'translation') return false;
  return skip_reason !== 'no_content_change' || skip_detail != null;
}

function added(
  before: CaseAddition | undefined,
  { id, caseId, observed }: CompleteUpdate,
  isChange: boolean,
): CaseAddition {
  const times = [before?.changedAt, isChange && observed.timestamp].filter((time) => time instanceof Date);
  const isNewest = !before || observed.observation > before.newest.observation;
  return {
    id: caseId,
    count: (before?.count ?? 0) + 1,
    at: before && before.at > observed.timestamp ? before.at : observed.timestamp,
    changedAt: times.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null,
    newest: isNewest ? { id, ...observed } : before.newest,
  };
}

/** The monitor used the id twice, for example after a restore without its counters. A row that a notification began has no observation. */
function conflictOf(
  stored: StoredUpdate,
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
