import { describe, expect, it } from '@jest/globals';
import { type Answer, decideAnswer } from '../../src/domain/decide-answer.ts';
import { decideWatch } from '../../src/domain/decide-watch.ts';
import { hashesOf } from '../../src/domain/hashes.ts';
import { parseCaseStatus } from '../../src/domain/parse-case-status.ts';
import { type Receipt, unknownReceipt } from '../../src/domain/receipt.ts';
import { scheduleParams as pacing } from '../support/schedule-params.ts';

const start = Date.parse('2026-11-21T12:00:00.000Z');
const at = (hours: number) => new Date(start + hours * 3_600_000);
const reference = {
  id: 1,
  user_case_id: 'FLOW0000001',
  receipt_number: 'EAC1',
  user_id: 1,
  partner_id: null,
};

function seen(title: string, sent: number, hours = 0, history: string[] = []): Answer {
  const parsed = parseCaseStatus({
    current_case_status_text_en: title,
    hist_case_status: history.map((date) => ({ date, completed_text_en: 'Case Was Received' })),
  });
  if (!parsed) throw new Error('no title');
  return { kind: 'seen', sent, checkedAt: at(hours), seen: parsed, hashes: hashesOf(parsed) };
}

function decide(before: Receipt, answer: Answer) {
  const decision = decideAnswer(before, [watching(before)], answer, pacing);
  if (!decision) throw new Error('superseded');
  return decision;
}

function watching({ facts, facts_hash, observation }: Receipt) {
  return {
    _id: 1,
    receipt_number: 'EAC1',
    case: reference,
    version: 1,
    active: true,
    last_observation: observation,
    last_facts_hash: facts_hash,
    last_status_code: facts?.status_code ?? null,
    awaits: null,
    deleted_at: null,
  };
}

const received = decide(unknownReceipt('EAC1'), seen('Case Was Received', 1)).receipt;

describe('decideAnswer', () => {
  it('ignores an earlier request that answers late', () => {
    const { receipt } = decide(received, seen('Case Was Approved', 3));
    expect(decideAnswer(receipt, [], seen('Case Was Received', 2), pacing)).toBeNull();
  });

  it('writes nothing but the time where nothing changed', () => {
    const { receipt, isMaterial, updates: tellings } = decide(received, seen('Case Was Received', 2, 5));
    expect([isMaterial, tellings]).toEqual([false, []]);
    expect(receipt).toMatchObject({ revision: 1, observation: 1, last_checked: at(5), sent: 2 });
  });

  it('tells another title as status, other words as details, and late history to nobody', () => {
    const kindOf = (answer: Answer) =>
      decide(received, answer).updates.map(({ kind, skip_reason }) => [kind, skip_reason]);
    expect(kindOf(seen('Case Was Approved', 2, 48))).toEqual([['status', null]]);
    expect(kindOf(seen('CASE was received', 2, 48))).toEqual([['details', null]]);
    expect(kindOf(seen('Case Was Received', 2, 48, ['2020-01-01']))).toEqual([
      ['details', 'no_content_change'],
    ]);
    expect(kindOf(seen('Case Was Received', 2, 48, ['2026-11-23']))).toEqual([['details', null]]);
  });

  it('calls a return within a day a flap, and later a status', () => {
    const approved = decide(received, seen('Case Was Approved', 2)).receipt;
    const [soon] = decide(approved, seen('Case Was Received', 3, 23)).updates;
    const [late] = decide(approved, seen('Case Was Received', 3, 25)).updates;
    expect([soon?.kind, late?.kind]).toEqual(['flap', 'status']);
  });
});

describe('decideWatch', () => {
  const beginning = (
    baseline: { observation: number; facts_hash: string } | null,
    first_check = 'seen' as const,
  ) => ({
    case: reference,
    version: 1,
    first_check,
    baseline: baseline && { ...baseline, status_update_id: 7 },
    at: at(1),
  });
  const knows = (receipt: Receipt) => ({
    observation: receipt.observation,
    facts_hash: receipt.facts_hash ?? '',
  });

  it('tells nothing where the receipt is as the case saw it', () => {
    const { update: telling, receipt } = decideWatch(received, null, beginning(knows(received)), pacing);
    expect(telling).toBeNull();
    expect(receipt).toMatchObject({ revision: 2, watchers: 1, watched_by: reference.id, expires_at: null });
  });

  it('goes on from what the case knows where the receipt was forgotten', () => {
    const { receipt, watch } = decideWatch(
      null,
      null,
      beginning({ observation: 5, facts_hash: 'abc' }),
      pacing,
    );
    expect(receipt).toMatchObject({ observation: 5, facts_hash: 'abc', facts: null });
    expect(watch).toMatchObject({ last_observation: 5, awaits: null });
    const [telling] = decideAnswer(receipt, [watch], seen('Case Was Approved', 9), pacing)?.updates ?? [];
    expect(telling).toMatchObject({ kind: 'status', skip_reason: null, previous_status_code: null });
  });

  it('never lets observations run backwards', () => {
    const { receipt, update: telling } = decideWatch(
      received,
      null,
      beginning({ observation: 5, facts_hash: 'abc' }),
      pacing,
    );
    expect(receipt.observation).toBe(6);
    expect(telling).toMatchObject({ kind: 'status', skip_reason: null });
  });

  it('tells what a case missed once there is something to be seen again, where it began while 404 was said', () => {
    const approved = decide(received, seen('Case Was Approved', 3)).receipt;
    const gone = decide(approved, { kind: 'not_found', sent: 4, checkedAt: at(2), message: null }).receipt;
    const { receipt, watch, update: telling } = decideWatch(gone, null, beginning(knows(received)), pacing);
    expect(telling).toBeNull();
    const decision = decideAnswer(receipt, [watch], seen('Case Was Approved', 5, 3), pacing);
    expect(decision?.updates).toMatchObject([
      { kind: 'status', skip_reason: null, previous_status_code: 'Case Was Received' },
    ]);
    const others = decideAnswer(receipt, [watching(approved)], seen('Case Was Approved', 5, 3), pacing);
    expect(others?.updates).toEqual([]);
  });
});
