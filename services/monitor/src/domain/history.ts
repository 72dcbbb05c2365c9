import { createHash } from 'node:crypto';
import type { HistoryEntry, StatusFacts } from '@casewatch/contracts';
import { titleKey, wordsOf } from './words.ts';

/** Entries that are remembered of one receipt or case. */
const maxKnown = 200;
const isoDay = /^\d{4}-\d{2}-\d{2}/;

/** A state that USCIS showed. `at`: when it was first seen. */
type ShownState = { status_code: string; at: Date };

/** Date and words of an entry: typography and Spanish do not make another one. */
function entryKey({ date, status_code }: HistoryEntry): string {
  return `${date ?? ''} ${createHash('sha256').update(wordsOf(status_code)).digest('hex').slice(0, 12)}`;
}

/** Sorted: USCIS sends no fixed order. */
export function historyKeys({ history }: StatusFacts): string[] {
  return history.map(entryKey).toSorted();
}

/** The keys of all entries that USCIS ever showed, so that one that vanishes and returns is not new. */
export function historyKnown(known: readonly string[], facts: StatusFacts | null): string[] {
  return [...new Set([...known, ...(facts ? historyKeys(facts) : [])])].slice(-maxKnown);
}

/**
 * The entries that say something new. Not those that were known; that come late, behind a known one of a later day; or that
 * repeat a state which was shown (monitor.md, "No noise").
 */
export function newEntries(
  { history }: StatusFacts,
  known: readonly string[],
  shown: readonly ShownState[],
): HistoryEntry[] {
  const keys = new Set(known);
  const newestDay = known
    .map(dayOf)
    .filter((day) => day !== null)
    .toSorted()
    .at(-1);
  return history.filter((entry) => {
    const day = dayOf(entry.date ?? '');
    const isLate = day !== null && newestDay !== undefined && day < newestDay;
    return !keys.has(entryKey(entry)) && !isLate && !shown.some((state) => repeats(entry, day, state));
  });
}

function repeats({ status_code }: HistoryEntry, day: string | null, state: ShownState): boolean {
  if (titleKey(status_code) !== titleKey(state.status_code)) return false;
  return day === null || day <= state.at.toISOString().slice(0, 10);
}

/** `YYYY-MM-DD` at the beginning; null for another notation, which has no order. */
function dayOf(text: string): string | null {
  return isoDay.exec(text)?.[0] ?? null;
}
