import type { CaseReference } from '@casewatch/contracts';
import { contentOf, hashesOf, partsOf } from '../../src/domain/case-content.ts';
import { givenAs } from '../../src/domain/case-update.ts';
import { type DecideParams, decideAnswer } from '../../src/domain/decide-answer.ts';
import { type FanOut, fanOutOf, passOn, touchedUpdates } from '../../src/domain/fan-out.ts';
import { historyKnown } from '../../src/domain/history.ts';
import type { Answer } from '../../src/domain/outcome.ts';
import { parseCaseStatus } from '../../src/domain/parse-case-status.ts';
import { type Receipt, unknownReceipt, type Watch } from '../../src/domain/receipt.ts';
import { scheduleParams } from './schedule-params.ts';

export const params: DecideParams = {
  ...scheduleParams,
  holdsDetails: false,
};

const start = Date.parse('2026-11-21T12:00:00.000Z');
export const at = (hours: number) => new Date(start + hours * 3_600_000);

export const reference: CaseReference = {
  id: 1,
  user_case_id: 'FLOW0000001',
  receipt_number: 'EAC1',
  user_id: 1,
  partner_id: null,
};

type Parts = {
  hours?: number;
  sent?: number;
  words?: string;
  modified?: string | undefined;
  submitted?: string;
  form?: string;
  /** Days of "Case Was Received", or whole entries: day and text. */
  history?: (string | readonly [day: string, text: string, es?: string])[];
  es?: { title: string; text: string };
};

let lastSent = 0;

/** An answer that shows this title; later ones are sent later. */
export function seen(title: string, parts: Parts = {}): Answer & { outcome: 'seen' } {
  const { hours = 0, sent = ++lastSent, words = `${title}.`, modified, submitted, form, history, es } = parts;
  const parsed = parseCaseStatus({
    current_case_status_text_en: title,
    current_case_status_desc_en: words,
    current_case_status_text_es: es?.title,
    current_case_status_desc_es: es?.text,
    modifiedDate: modified,
    submittedDate: submitted,
    formType: form,
    hist_case_status: history?.map((entry) => {
      const [date, text, spanish] = typeof entry === 'string' ? [entry, 'Case Was Received'] : entry;
      return { date, completed_text_en: text, completed_text_es: spanish };
    }),
  });
  if (!parsed) throw new Error('no state');
  return { outcome: 'seen', sent, checkedAt: at(hours), seen: parsed, hashes: hashesOf(parsed) };
}

export function refused(outcome: 'not_found' | 'rejected', hours: number): Answer {
  return { outcome, sent: ++lastSent, checkedAt: at(hours), message: null };
}

/** A watch that knows the present state. */
export function watching({ facts, facts_hash, observation }: Receipt, over: Partial<Watch> = {}): Watch {
  return {
    _id: 1,
    receipt_number: 'EAC1',
    case: reference,
    version: 1,
    active: true,
    last_observation: observation,
    last_facts_hash: facts_hash,
    last_status_code: facts?.status_code ?? null,
    last_told: facts && contentOf(facts),
    last_parts: facts && partsOf(facts),
    known_history: historyKnown([], facts),
    last_update: { id: observation, observation, at: at(0) },
    untold: null,
    awaits: null,
    deleted_at: null,
    begun_revision: null,
    ended_revision: null,
    ...over,
  };
}

export function decide(before: Receipt, answer: Answer, over: Partial<DecideParams> = {}) {
  const decision = decideAnswer(before, answer, { ...params, ...over });
  if (!decision) throw new Error('out of date');
  return decision;
}

/** The update that the answer brings to a watch. */
export function updateOf(before: Receipt, answer: Answer, watch = watching(before)) {
  const fanOut: FanOut | null = fanOutOf(before, decide(before, answer), answer.checkedAt);
  return (fanOut?.updates && passOn(watch, fanOut.updates)?.update) ?? null;
}

type Given = { id: number; kind: string; skip: string | null; changes: string[]; entries: string[] };

/** What a case that began with the first answer gets of those after it, and what becomes of its rows. */
export function follow(first: Answer, ...others: Answer[]) {
  let receipt = decide(unknownReceipt('EAC1'), first).receipt;
  let watch = watching(receipt);
  const given: Given[] = [];
  const touches: { id: number; at: string }[] = [];
  for (const answer of others) {
    const decision = decide(receipt, { ...answer, sent: receipt.sent + 1 });
    const fanOut = decision.isForCases ? fanOutOf(receipt, decision, answer.checkedAt) : null;
    receipt = decision.receipt;
    const former = watch;
    const passed = fanOut?.updates ? passOn(watch, fanOut.updates) : null;
    if (passed) {
      const { update, known } = passed;
      const id = update?.again?.id ?? receipt.observation;
      const kept = update && givenAs(update, receipt, { id, at: answer.checkedAt });
      watch = { ...watch, ...known, ...kept?.lastUpdate };
      if (update) {
        const { kind, skip_reason: skip, changes, new_history } = update;
        given.push({ id, kind, skip, changes, entries: new_history.map(({ status_code }) => status_code) });
      }
    }
    if (fanOut?.touch)
      for (const { status_update_id: id } of touchedUpdates([former], [], fanOut.touch))
        touches.push({ id, at: fanOut.touch.touched_at.toISOString() });
  }
  return { receipt, watch, given, touches };
}
