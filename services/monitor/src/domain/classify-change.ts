import type { StatusFacts } from '@casewatch/contracts';
import { dayMs } from './buckets.ts';
import { contentOf, isSameTitle } from './case-content.ts';
import type { SeenAnswer } from './outcome.ts';
import type { Change, Receipt, SkipReason } from './receipt.ts';

/** Null if nothing changed (monitor.md, "What counts as a change"). */
export function classifyChange(before: Receipt, answer: SeenAnswer, holdsDetails: boolean): Change | null {
  const { hashes, seen, checkedAt: at } = answer;
  const { facts } = seen;
  if (before.facts_hash === null) return { kind: 'baseline', skip_reason: 'baseline' };
  if (before.facts_hash === hashes.facts_hash) {
    const isNewSpanish = before.spanish_hash !== null && before.spanish_hash !== hashes.spanish_hash;
    return isNewSpanish ? { kind: 'translation', skip_reason: 'no_content_change' } : null;
  }
  if (before.facts === null) return { kind: 'status', skip_reason: null };
  if (isSameContent(before.facts, facts))
    return { kind: 'details', skip_reason: reasonOfSame(before, facts) };
  if (isReturn(before, facts, at)) return { kind: 'flap', skip_reason: 'flap' };
  if (!isSameTitle(before.facts.status_code, facts.status_code)) return { kind: 'status', skip_reason: null };
  return { kind: 'details', skip_reason: holdsDetails ? 'held' : null };
}

export function isSameContent(first: StatusFacts, second: StatusFacts): boolean {
  return contentOf(first).content_hash === contentOf(second).content_hash;
}

/** Of what people read, only the history can be new. */
function reasonOfSame(before: Receipt, facts: StatusFacts): SkipReason {
  if (!hasNewHistory(before, facts)) return 'no_content_change';
  return before.held ? 'held' : before.returned_at ? 'flap' : null;
}

/** A state that was shown less than a day before: perhaps only an old answer of USCIS, so a second check confirms it. */
function isReturn(before: Receipt, facts: StatusFacts, at: Date): boolean {
  const { content_hash } = contentOf(facts);
  if (before.held?.told.content_hash === content_hash) return true;
  return before.past.some((state, i) => {
    // 0: the present state, which has not ended.
    const endedMs = before.past[i + 1]?.at.getTime() ?? 0;
    return state.content_hash === content_hash && at.getTime() - endedMs <= dayMs;
  });
}

/** Whether an entry of the history is later than the present state. Late and returning entries are not. */
function hasNewHistory({ facts, since }: Receipt, now: StatusFacts): boolean {
  const oldEntries = new Set(facts?.history.map(({ date, status_code }) => `${date} ${status_code}`));
  const day = since?.toISOString().slice(0, 10) ?? '';
  return now.history.some(({ date, status_code }) => !oldEntries.has(`${date} ${status_code}`) && date > day);
}
