import { dayMs } from './buckets.ts';
import { contentOf, isSameContent, isSameTitle } from './case-content.ts';
import { historyKnown, newEntries } from './history.ts';
import type { SeenAnswer } from './outcome.ts';
import type { Change, Receipt, SkipReason } from './receipt.ts';

/** Null if nothing changed (monitor.md, "What counts as a change"). */
export function classifyChange(before: Receipt, answer: SeenAnswer, holdsDetails: boolean): Change | null {
  const { hashes, seen } = answer;
  const { facts } = seen;
  if (before.facts_hash === null) return { kind: 'baseline', skip_reason: 'baseline' };
  if (isSameFacts(before, answer)) {
    if (before.spanish_hash === null || before.spanish_hash === hashes.spanish_hash) return null;
    return { kind: 'translation', skip_reason: 'no_content_change' };
  }
  if (before.facts === null) return { kind: 'status', skip_reason: null };
  if (isSameContent(before.facts, facts))
    return { kind: 'details', skip_reason: reasonOfSame(before, answer) };
  if (isReturn(before, answer)) return { kind: 'flap', skip_reason: 'flap' };
  if (!isSameTitle(before.facts.status_code, facts.status_code)) return { kind: 'status', skip_reason: null };
  return { kind: 'details', skip_reason: holdsDetails ? 'held' : null };
}

/** The same words, history, form and date of submission; `modified_date` and typography may differ. */
export function isSameFacts({ facts_hash }: Receipt, { hashes }: SeenAnswer): boolean {
  return facts_hash === hashes.facts_hash;
}

/** Of what people read, only the history can be new. */
function reasonOfSame(before: Receipt, answer: SeenAnswer): SkipReason {
  if (newsOf(before, answer).length === 0) return 'no_content_change';
  return before.held ? 'held' : before.returned_at ? 'flap' : null;
}

/** What the history says that was not known. */
export function newsOf({ facts, known_history, past }: Receipt, { seen, checkedAt: at }: SeenAnswer) {
  if (facts === null) return [];
  const now = { status_code: seen.facts.status_code, at };
  const isOtherTitle = !isSameTitle(facts.status_code, now.status_code);
  const shown = isOtherTitle ? [...past, now] : past;
  return newEntries(seen.facts, historyKnown(known_history, facts), shown);
}

/** A state that was shown less than a day before: perhaps only an old answer of USCIS, so a second check confirms it. */
function isReturn({ held, past }: Receipt, { seen, checkedAt: at }: SeenAnswer): boolean {
  const { content_hash } = contentOf(seen.facts);
  if (held?.told.content_hash === content_hash) return true;
  return past.some((state, i) => {
    // 0: the present state, which has not ended.
    const endedMs = past[i + 1]?.at.getTime() ?? 0;
    return state.content_hash === content_hash && at.getTime() - endedMs <= dayMs;
  });
}
