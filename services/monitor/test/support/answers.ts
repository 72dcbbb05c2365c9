import type { CaseReference } from '@casewatch/contracts';
import { contentOf, hashesOf } from '../../src/domain/case-content.ts';
import { type DecideParams, decideAnswer } from '../../src/domain/decide-answer.ts';
import { type FanOut, fanOutOf, passOn } from '../../src/domain/fan-out.ts';
import type { Answer } from '../../src/domain/outcome.ts';
import { parseCaseStatus } from '../../src/domain/parse-case-status.ts';
import type { Receipt, Watch } from '../../src/domain/receipt.ts';
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
  history?: string[];
};

let lastSent = 0;

/** An answer that shows this title; later ones are sent later. */
export function seen(title: string, parts: Parts = {}): Answer & { outcome: 'seen' } {
  const { hours = 0, sent = ++lastSent, words = `${title}.`, modified, history } = parts;
  const parsed = parseCaseStatus({
    current_case_status_text_en: title,
    current_case_status_desc_en: words,
    modifiedDate: modified,
    hist_case_status: history?.map((date) => ({ date, completed_text_en: 'Case Was Received' })),
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
    awaits: null,
    deleted_at: null,
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
