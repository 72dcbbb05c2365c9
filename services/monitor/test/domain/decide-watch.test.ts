import { describe, expect, it } from '@jest/globals';
import { decideWatch } from '../../src/domain/decide-watch.ts';
import { type Receipt, unknownReceipt, type Watch } from '../../src/domain/receipt.ts';
import { at, decide, params, reference, refused, seen, updateOf, watching } from '../support/answers.ts';

const received = decide(unknownReceipt('EAC1'), seen('Case Was Received')).receipt;

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
  const known = (stored: Receipt | null, former: Watch | null, pastRevision = 0) => ({
    stored,
    former,
    pastRevision,
  });
  const knows = (receipt: Receipt) => ({
    observation: receipt.observation,
    facts_hash: receipt.facts_hash ?? '',
  });

  it('puts a deferred first check behind what is due; one of a watch that begins again comes first', () => {
    const deferred = { ...beginning(null), first_check: 'deferred' as const };
    const { receipt } = decideWatch(known(null, null), deferred, params);
    expect(receipt).toMatchObject({ bucket: 'deferred', checked_at: at(1), next_check_at: at(1) });
    const resumed = { ...beginning(null), version: 2, first_check: null };
    expect(decideWatch(known(null, null), resumed, params).receipt.bucket).toBe('first');
  });

  it('leaves a receipt that others watch in its place, also one that waits for its first check', () => {
    const deferred = { ...beginning(null), first_check: 'deferred' as const };
    const { receipt: first } = decideWatch(known(null, null), deferred, params);
    const later = { ...deferred, case: { ...reference, id: reference.id + 1 }, at: at(5) };
    const { receipt } = decideWatch(known(first, null), later, params);
    expect(receipt).toMatchObject({ bucket: 'deferred', checked_at: at(1), watchers: 2 });
  });

  it('tells nothing where the receipt is as the case saw it', () => {
    const { update, receipt, watch } = decideWatch(known(received, null), beginning(knows(received)), params);
    expect(update).toBeNull();
    expect(receipt).toMatchObject({ revision: 2, watchers: 1, watched_by: reference.id, expires_at: null });
    expect(watch.last_told).toEqual(watching(received).last_told);
  });

  it('goes on from the highest revision that somebody may compare with', () => {
    const begun = decideWatch(known(null, null, 40), beginning(null), params);
    expect([begun.receipt.revision, begun.watch.begun_revision]).toEqual([41, 41]);
    const active = watching(received, { begun_revision: 5 });
    const changed = decideWatch(known({ ...received, revision: 9 }, active), beginning(null), params);
    expect([changed.receipt.revision, changed.watch.begun_revision]).toEqual([10, 5]);
  });

  it('continues from what the case knows where the receipt was forgotten', () => {
    const { receipt, watch } = decideWatch(
      known(null, null),
      beginning({ observation: 5, facts_hash: 'abc' }),
      params,
    );
    expect(receipt).toMatchObject({ observation: 5, facts_hash: 'abc', facts: null });
    expect(watch).toMatchObject({ last_observation: 5, awaits: null });
    expect(updateOf(receipt, seen('Case Was Approved'), watch)).toMatchObject({
      kind: 'status',
      skip_reason: null,
      previous_status_code: null,
    });
  });

  it('never lets observations decrease', () => {
    const { receipt, update } = decideWatch(
      known(received, null),
      beginning({ observation: 5, facts_hash: 'abc' }),
      params,
    );
    expect(receipt.observation).toBe(6);
    expect(update).toMatchObject({ kind: 'status', skip_reason: null });
  });

  it('tells what a case missed once there is something to be seen again, where it began while 404 was said', () => {
    const approved = decide(received, seen('Case Was Approved')).receipt;
    const gone = decide(approved, refused('not_found', 2)).receipt;
    const { receipt, watch, update } = decideWatch(known(gone, null), beginning(knows(received)), params);
    expect(update).toBeNull();
    const again = seen('Case Was Approved', { hours: 3 });
    expect(updateOf(receipt, again, watch)).toMatchObject({
      kind: 'status',
      skip_reason: null,
      previous_status_code: 'Case Was Received',
    });
    expect(updateOf(receipt, again, watching(approved))).toBeNull();
  });

  it('tells a case that begins again only what users have to know', () => {
    const approved = decide(received, seen('Case Was Approved', { hours: 1 })).receipt;
    const back = decide(approved, seen('Case Was Received', { hours: 2 })).receipt;
    const former = watching(approved, { active: false });
    const again = { ...beginning(null), version: 2, first_check: null };
    const open = decideWatch(known(back, former), again, params);
    expect(open.update).toMatchObject({ kind: 'status', skip_reason: 'flap' });
    expect(open.watch.last_told?.status_code).toBe('Case Was Approved');
    const knewThis = decideWatch(known(back, watching(received, { active: false })), again, params);
    expect(knewThis.update).toBeNull();
  });
});
