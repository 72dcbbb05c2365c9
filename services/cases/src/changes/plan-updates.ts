import type { StatusUpdated } from '@casewatch/contracts';
import { PoisonError } from '@casewatch/platform';
import { firstChannelState } from '../domain/notify.ts';
import { toObserved } from '../domain/observed.ts';
import type { CaseAddition } from '../store/cases.ts';
import type { CompleteUpdate, StatusUpdateRow } from '../store/status-updates.ts';

export type Result = undefined | Error;

type KnownUpdate = { case_id: number; observation?: number };
type Plan = {
  results: Result[];
  inserts: CompleteUpdate[];
  completions: (CompleteUpdate & { row: StatusUpdateRow })[];
  additions: Map<number, CaseAddition>;
};

/** Decides what a batch writes. `newest`: highest observation by case, 0 without one. `stored`: rows of these updates. */
export function planUpdates(
  updates: readonly StatusUpdated[],
  newest: ReadonlyMap<number, number>,
  stored: ReadonlyMap<number, StatusUpdateRow>,
): Plan {
  const known = new Map<number, KnownUpdate>(stored);
  const plan: Plan = { results: [], inserts: [], completions: [], additions: new Map() };
  for (const data of updates) {
    const { id } = data.status_update;
    const caseId = data.case.id;
    const highest = newest.get(caseId);
    const existing = highest === undefined ? undefined : known.get(id);
    plan.results.push(existing && conflictOf(existing, data));
    if (highest === undefined || existing?.observation != null || plan.results.at(-1)) continue;
    const update = toComplete(data);
    const row = stored.get(id);
    if (row) plan.completions.push({ ...update, row });
    else plan.inserts.push(update);
    known.set(id, { case_id: caseId, observation: update.observed.observation });
    plan.additions.set(caseId, added(plan.additions.get(caseId), update, highest));
  }
  return plan;
}

function toComplete({ case: { id: caseId }, status_update, skip_reason }: StatusUpdated): CompleteUpdate {
  const { id, kind, observation, timestamp, ...facts } = status_update;
  const observed = toObserved(facts, { kind, observation, timestamp });
  return { id, caseId, observed, channel: firstChannelState(skip_reason) };
}

/** `highest`: observation of the stored latest update. */
function added(
  before: CaseAddition | undefined,
  { id, caseId, observed }: CompleteUpdate,
  highest: number,
): CaseAddition {
  const isNewest = observed.observation > (before?.latest?.observation ?? highest);
  return {
    id: caseId,
    count: (before?.count ?? 0) + 1,
    at: before && before.at > observed.timestamp ? before.at : observed.timestamp,
    latest: isNewest ? { id, ...observed } : (before?.latest ?? null),
  };
}

/** The monitor used the id twice, for example after a restore without its counters. A row that a notification began has no observation. */
function conflictOf(
  known: KnownUpdate,
  { case: { id: caseId }, status_update }: StatusUpdated,
): PoisonError | undefined {
  const { id, observation } = status_update;
  const isSame = known.observation == null || known.observation === observation;
  if (known.case_id === caseId && isSame) return undefined;
  const existing = `case ${known.case_id}, observation ${known.observation ?? 'unknown'}`;
  return new PoisonError(
    `StatusUpdate ${id} is of ${existing}; not of case ${caseId}, observation ${observation}`,
  );
}
