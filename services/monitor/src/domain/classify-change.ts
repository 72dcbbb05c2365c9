import { normaliseTitle, type StatusFacts, type UpdateKind } from '@casewatch/contracts';
import type { Hashes } from './hashes.ts';
import type { PastState, Receipt, SkipReason } from './receipt.ts';
import { dayMs } from './schedule.ts';

export type Change = { kind: UpdateKind; skip_reason: SkipReason };

/** Null if nothing changed (monitor.md, "What counts as a change"). Without `skip_reason`, users are notified. */
export function classifyChange(before: Receipt, facts: StatusFacts, hashes: Hashes, at: Date): Change | null {
  if (before.facts_hash === null) return { kind: 'baseline', skip_reason: 'baseline' };
  if (before.facts_hash === hashes.facts_hash) {
    const isNewSpanish = before.spanish_hash !== null && before.spanish_hash !== hashes.spanish_hash;
    return isNewSpanish ? { kind: 'translation', skip_reason: 'no_content_change' } : null;
  }
  const flap = classifyFlap(before.past, hashes.facts_hash, at);
  if (flap) return flap;
  if (before.facts === null) return { kind: 'status', skip_reason: null };
  if (!isSameTitle(before.facts.status_code, facts.status_code)) return { kind: 'status', skip_reason: null };
  const isLate = before.since !== null && isLateHistory(before.facts, facts, before.since);
  return { kind: 'details', skip_reason: isLate ? 'no_content_change' : null };
}

export function isSameTitle(first: string, second: string): boolean {
  return normaliseTitle(first) === normaliseTitle(second);
}

/** A→B→A within a day: users are notified of the first return as a correction, not of further flips. */
function classifyFlap(past: readonly PastState[], factsHash: string, at: Date): Change | null {
  const current = past.at(-1);
  const former = past.at(-2);
  if (!current || former?.facts_hash !== factsHash || !isWithinADay(current.at, at)) return null;
  const pair = [current.facts_hash, factsHash];
  const wasNotified = past.some(
    (state) =>
      state.kind === 'flap' &&
      state.skip_reason === null &&
      pair.includes(state.facts_hash) &&
      isWithinADay(state.at, at),
  );
  return { kind: 'flap', skip_reason: wasNotified ? 'flap' : null };
}

function isWithinADay(earlier: Date, later: Date): boolean {
  return later.getTime() - earlier.getTime() <= dayMs;
}

/** Whether only history entries were added that are older than the present state. */
function isLateHistory(before: StatusFacts, now: StatusFacts, since: Date): boolean {
  const isSameOtherwise =
    before.status_code === now.status_code &&
    before.status_description === now.status_description &&
    before.form_type === now.form_type &&
    before.submitted_date === now.submitted_date &&
    before.modified_date === now.modified_date;
  if (!isSameOtherwise) return false;
  const oldEntries = new Set(before.history.map(({ date, status_code }) => `${date} ${status_code}`));
  const day = since.toISOString().slice(0, 10);
  return now.history.every(
    (entry) => oldEntries.has(`${entry.date} ${entry.status_code}`) || entry.date <= day,
  );
}
