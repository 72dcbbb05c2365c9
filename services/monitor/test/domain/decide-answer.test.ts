import { describe, expect, it } from '@jest/globals';
import { decideAnswer } from '../../src/domain/decide-answer.ts';
import { type Receipt, unknownReceipt } from '../../src/domain/receipt.ts';
import { at, decide, params, refused, seen, updateOf, watching } from '../support/answers.ts';

const received = decide(unknownReceipt('EAC1'), seen('Case Was Received')).receipt;

describe('decideAnswer', () => {
  it('ignores an earlier request that answers late', () => {
    const { receipt } = decide(received, seen('Case Was Approved', { sent: 1_003 }));
    expect(decideAnswer(receipt, seen('Case Was Received', { sent: 1_002 }), params)).toBeNull();
  });

  it('writes only the time where nothing changed', () => {
    const { receipt, isMaterial, change } = decide(received, seen('Case Was Received', { hours: 5 }));
    expect([isMaterial, change]).toEqual([false, null]);
    expect(receipt).toMatchObject({ revision: 1, observation: 1, last_checked: at(5) });
  });

  it('calls another title a status, other words details, and an alias the same title', () => {
    const kindOf = (...parts: Parameters<typeof seen>) => decide(received, seen(...parts)).change;
    expect(kindOf('Case Was Approved')).toEqual({ kind: 'status', skip_reason: null });
    expect(kindOf('CASE was received')).toBeNull();
    expect(kindOf('Case Was Received', { words: 'Wait.' })).toEqual({ kind: 'details', skip_reason: null });
    const scheduled = decide(unknownReceipt('EAC1'), seen('Interview Was Scheduled')).receipt;
    const alias = decide(scheduled, seen('Interview Was Scheduled', { words: 'Bring the notice.' }));
    expect(alias.change).toEqual({ kind: 'details', skip_reason: null });
  });

  it('notifies no one of new links and phone numbers, and of history that is late', () => {
    const words = 'We got it. See www.uscis.gov/addresschange for more. Call 800-375-5283. Wait.';
    const before = decide(unknownReceipt('EAC1'), seen('Case Was Received', { words })).receipt;
    const skipOf = (parts: Parameters<typeof seen>[1]) =>
      decide(before, seen('Case Was Received', { words, hours: 48, ...parts })).change?.skip_reason;
    expect(skipOf({ words: words.replace('addresschange', 'move') })).toBe('no_content_change');
    expect(skipOf({ words: words.replace('Call 800-375-5283', 'Call 800-375-9999') })).toBe(
      'no_content_change',
    );
    expect(skipOf({ words: words.replace('Wait', 'Hurry') })).toBeNull();
    expect(skipOf({ history: ['2020-01-01'] })).toBe('no_content_change');
    expect(skipOf({ history: ['2026-11-23'] })).toBeNull();
  });

  it('notifies no one of a history that vanishes and returns', () => {
    const history = ['2026-11-20'];
    const full = decide(unknownReceipt('EAC1'), seen('Case Was Received', { history })).receipt;
    const empty = decide(full, seen('Case Was Received', { hours: 1 }));
    const again = decide(empty.receipt, seen('Case Was Received', { hours: 2, history }));
    for (const { change } of [empty, again])
      expect(change).toEqual({ kind: 'details', skip_reason: 'no_content_change' });
  });

  it('keeps the earliest modified_date of a title', () => {
    const dates = ['11-20-2026 10:00:00', '11-25-2026 10:00:00', '11-19-2026 10:00:00'];
    let receipt: Receipt = unknownReceipt('EAC1');
    const kept = dates.map((modified) => {
      receipt = decide(receipt, seen('Case Was Received', { modified })).receipt;
      return receipt.title_modified_date?.slice(0, 10);
    });
    expect(kept).toEqual(['2026-11-20', '2026-11-20', '2026-11-19']);
    const { receipt: other } = decide(receipt, seen('Case Was Approved', { modified: dates[1] }));
    expect(other.title_modified_date?.slice(0, 10)).toBe('2026-11-25');
  });
});

describe('a return', () => {
  const approved = decide(received, seen('Case Was Approved', { hours: 1 })).receipt;
  const back = decide(approved, seen('Case Was Received', { hours: 2 }));

  it('within a day is stored, and checked again after an hour; later it is a status', () => {
    expect(back.change).toEqual({ kind: 'flap', skip_reason: 'flap' });
    expect(back.receipt).toMatchObject({ returned_at: at(2), next_check_at: at(3) });
    const late = decide(approved, seen('Case Was Received', { hours: 26 }));
    expect(late.change).toEqual({ kind: 'status', skip_reason: null });
  });

  it('is seen where its date moved', () => {
    const moved = seen('Case Was Received', { hours: 2, modified: '11-22-2026 10:00:00' });
    expect(decide(approved, moved).change?.kind).toBe('flap');
  });

  it('is told as a correction by a second check after an hour, and not before', () => {
    const knowsApproval = watching(back.receipt, { last_told: watching(approved).last_told });
    const early = decide(back.receipt, seen('Case Was Received', { hours: 2.5 }));
    expect([early.change, early.receipt.next_check_at]).toEqual([null, at(3)]);
    const confirming = seen('Case Was Received', { hours: 3 });
    const { receipt, isConfirmation } = decide(early.receipt, confirming);
    expect([isConfirmation, receipt.returned_at]).toEqual([true, null]);
    expect(receipt.observation).toBe(4);
    expect(updateOf(early.receipt, confirming, knowsApproval)).toMatchObject({
      kind: 'flap',
      skip_reason: null,
      previous_status_code: 'Case Was Approved',
    });
    // A case that began with this state knows it.
    expect(updateOf(early.receipt, confirming, watching(back.receipt))).toBeNull();
  });

  it('is told where the date moved until its confirmation', () => {
    const confirming = seen('Case Was Received', { hours: 3, modified: '11-22-2026 10:00:00' });
    const knowsApproval = watching(back.receipt, { last_told: watching(approved).last_told });
    expect(updateOf(back.receipt, confirming, knowsApproval)).toMatchObject({
      kind: 'flap',
      skip_reason: null,
    });
  });

  it('that did not last leaves nothing to tell, because the last state was told', () => {
    const again = decide(back.receipt, seen('Case Was Approved', { hours: 2.5 }));
    expect(again.change).toEqual({ kind: 'flap', skip_reason: 'flap' });
    const knowsApproval = watching(again.receipt, { last_told: watching(approved).last_told });
    const confirming = seen('Case Was Approved', { hours: 3.5 });
    expect(decide(again.receipt, confirming).isConfirmation).toBe(true);
    expect(updateOf(again.receipt, confirming, knowsApproval)).toBeNull();
  });

  it('followed by a third state is told as what it is for the user', () => {
    const denied = seen('Case Was Denied', { hours: 2.5 });
    const knowsApproval = watching(back.receipt, { last_told: watching(approved).last_told });
    expect(updateOf(back.receipt, denied, knowsApproval)).toMatchObject({
      kind: 'status',
      skip_reason: null,
      previous_status_code: 'Case Was Approved',
    });
    const reworded = seen('Case Was Approved', { hours: 2.5, words: 'Other words.' });
    expect(updateOf(back.receipt, reworded, knowsApproval)).toMatchObject({
      kind: 'details',
      skip_reason: null,
    });
  });
});

describe('held changes', () => {
  const held = decide(received, seen('Case Was Received', { words: 'New.', hours: 1 }), {
    holdsDetails: true,
  });

  it('are told to no one, and stay held while only the date moves', () => {
    expect(held.change).toEqual({ kind: 'details', skip_reason: 'held' });
    expect(held.receipt.held).toMatchObject({ at: at(1), told: { status_code: 'Case Was Received' } });
    const touched = seen('Case Was Received', { words: 'New.', hours: 2, modified: '11-22-2026 10:00:00' });
    expect(decide(held.receipt, touched)).toMatchObject({
      change: null,
      isTouch: true,
      receipt: { held: held.receipt.held },
    });
  });

  it('do not hold another title', () => {
    const approved = seen('Case Was Approved', { hours: 2 });
    expect(decide(held.receipt, approved, { holdsDetails: true })).toMatchObject({
      change: { kind: 'status', skip_reason: null },
      receipt: { held: null },
    });
  });

  it('are over when the state that users know comes back', () => {
    const knowsFirst = watching(held.receipt, { last_told: watching(received).last_told });
    const back = decide(held.receipt, seen('Case Was Received', { hours: 50 }));
    expect(back).toMatchObject({ change: { kind: 'flap', skip_reason: 'flap' }, receipt: { held: null } });
    expect(updateOf(back.receipt, seen('Case Was Received', { hours: 52 }), knowsFirst)).toBeNull();
  });
});

describe('a 422', () => {
  it('says nothing about a receipt that was seen before', () => {
    expect(decideAnswer(received, refused('rejected', 1), params)).toBeNull();
  });

  it('rejects a receipt that was never seen, if it is repeated after a day', () => {
    const first = decide(unknownReceipt('EAC1'), refused('rejected', 0));
    expect(first).toMatchObject({
      isStateChanged: false,
      receipt: { state: 'watched', next_check_at: at(24) },
    });
    const early = decide(first.receipt, refused('rejected', 23));
    expect(early).toMatchObject({ isStateChanged: false, receipt: { state: 'watched' } });
    const second = decide(early.receipt, refused('rejected', 24));
    expect(second).toMatchObject({
      isStateChanged: true,
      receipt: { state: 'rejected', next_check_at: null },
    });
    const shown = decide(early.receipt, seen('Case Was Received', { hours: 23 }));
    expect(shown.receipt).toMatchObject({ state: 'watched', rejections: null });
  });
});
