import { normaliseTitle, type StatusFacts, type UpdateKind } from '@casewatch/contracts';
import type { Hashes } from './hashes.ts';
import type { PastState, Receipt, SkipReason } from './receipt.ts';
import { dayMs } from './schedule.ts';

export type Change = { kind: UpdateKind; skip_reason: SkipReason };

/**
 * What an answer changes for those who knew the state before (monitor.md, "What counts as a change"); null if
 * nothing. `skip_reason` null means that people are told.
 */
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

/** Whether two titles differ in more than case, punctuation and spaces. */
export function isSameTitle(one: string, other: string): boolean {
  return normaliseTitle(one) === normaliseTitle(other);
}

/** A→B→A within a day: the return is told once, as a correction; further flips of the pair within the day are not. */
function classifyFlap(past: readonly PastState[], factsHash: string, at: Date): Change | null {
  const current = past.at(-1);
  const former = past.at(-2);
  if (!current || former?.facts_hash !== factsHash || !isWithinADay(current.at, at)) return null;
  const pair = [current.facts_hash, factsHash];
  const wasTold = past.some(
    (state) =>
      state.kind === 'flap' &&
      state.skip_reason === null &&
      pair.includes(state.facts_hash) &&
      isWithinADay(state.at, at),
  );
  return { kind: 'flap', skip_reason: wasTold ? 'flap' : null };
}

/** A day as people live it: not scaled. */
function isWithinADay(earlier: Date, later: Date): boolean {
  return later.getTime() - earlier.getTime() <= dayMs;
}

/** Only history differs, and what it gained is not younger than what was known: nothing is told of that. */
function isLateHistory(before: StatusFacts, now: StatusFacts, since: Date): boolean {
  const isSameElsewhere =
    before.status_code === now.status_code &&
    before.status_description === now.status_description &&
    before.form_type === now.form_type &&
    before.submitted_date === now.submitted_date &&
    before.modified_date === now.modified_date;
  if (!isSameElsewhere) return false;
  const known = new Set(before.history.map(({ date, status_code }) => `${date} ${status_code}`));
  const day = since.toISOString().slice(0, 10);
  return now.history.every((entry) => known.has(`${entry.date} ${entry.status_code}`) || entry.date <= day);
}
