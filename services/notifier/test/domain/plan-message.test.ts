import { describe, expect, it } from '@jest/globals';
import { maxItems, planMessages, type Rules, type Waiting } from '../../src/domain/plan-message.ts';

const now = new Date('2026-11-23T12:00:00Z');
const inMs = (ms: number) => new Date(now.getTime() + ms);

const quiet = { last_message_at: null, day_started_at: null, day_count: 0 };
const rules: Rules = {
  channel: 'email',
  now,
  windowMs: 120_000,
  cap: 20,
  quietUntil: null,
  joinsCases: true,
};

function aRow(id: number, over: Partial<Waiting> = {}): Waiting {
  return {
    _id: `${id}:email`,
    case_id: id,
    status_update_id: id,
    status: 'pending',
    observed_at: new Date(id * 1_000),
    next_attempt_at: now,
    lease_until: null,
    ambiguous: false,
    urgent: false,
    ...over,
  };
}

function idsOf(rows: readonly Waiting[] | undefined): number[] {
  return rows?.map(({ status_update_id }) => status_update_id) ?? [];
}

describe('the message of one person and channel', () => {
  it('has all updates that are due, newest first, at most fifty', () => {
    const rows = Array.from({ length: 60 }, (_, i) => aRow(i + 1));
    const { send, hold } = planMessages(rows, quiet, rules);
    expect(idsOf(send[0]?.rows)).toEqual(Array.from({ length: maxItems }, (_, i) => maxItems - i));
    expect(hold).toBeNull();
  });

  it('takes along older updates of its cases that wait for another attempt, and no others', () => {
    const waiting = { next_attempt_at: inMs(60_000) };
    const rows = [aRow(1, { case_id: 9, ...waiting }), aRow(2, waiting), aRow(3, { case_id: 9 })];
    expect(idsOf(planMessages(rows, quiet, rules).send[0]?.rows)).toEqual([3, 1]);
  });

  it('is about one case where updates of several cases cannot be joined', () => {
    const rows = [aRow(1), aRow(2, { case_id: 1 }), aRow(3)];
    const { send } = planMessages(rows, quiet, { ...rules, windowMs: 0, joinsCases: false });
    expect(send.map(({ rows: sent }) => idsOf(sent))).toEqual([[2, 1], [3]]);
  });

  it('waits until the window after the last message ends', () => {
    const received = { ...quiet, last_message_at: inMs(-20_000) };
    const { send, hold } = planMessages([aRow(1), aRow(2)], received, rules);
    expect(send).toEqual([]);
    expect(idsOf(hold?.rows)).toEqual([1, 2]);
    expect(hold?.until).toEqual(inMs(100_000));
  });

  it('waits for the next day when the cap is reached, whatever the window', () => {
    const received = { last_message_at: inMs(-20_000), day_started_at: inMs(-3_600_000), day_count: 20 };
    const { send, hold } = planMessages([aRow(1)], received, rules);
    expect(send).toEqual([]);
    expect(hold?.until).toEqual(inMs(23 * 3_600_000));
    expect(
      planMessages([aRow(1)], { ...received, day_started_at: inMs(-90_000_000) }, rules).hold?.until,
    ).toEqual(inMs(100_000));
  });

  it('goes at once with a decision and the older updates of its case; the rest waits', () => {
    const received = { last_message_at: inMs(-20_000), day_started_at: inMs(-3_600_000), day_count: 20 };
    const rows = [
      aRow(1),
      aRow(2, { urgent: true }),
      aRow(3),
      aRow(4, { case_id: 2, observed_at: new Date(1) }),
    ];
    const { send, hold } = planMessages(rows, received, rules);
    expect(idsOf(send[0]?.rows)).toEqual([2, 4]);
    expect(idsOf(hold?.rows)).toEqual([1, 3]);
  });

  it('waits for the end of the quiet hours, except a mail about a decision', () => {
    const night = { ...rules, quietUntil: inMs(3_600_000) };
    const rows = [aRow(1), aRow(2, { urgent: true })];
    expect(idsOf(planMessages(rows, quiet, night).send[0]?.rows)).toEqual([2]);
    const whatsapp = planMessages(rows, quiet, { ...night, channel: 'whatsapp' });
    expect(whatsapp.send).toEqual([]);
    expect(whatsapp.hold?.until).toEqual(inMs(3_600_000));
  });

  it('is the same digest again after an ambiguous attempt, before anything else', () => {
    const ambiguous = { ambiguous: true, digest: 'd1' };
    const rows = [aRow(1), aRow(2, ambiguous), aRow(3, ambiguous)];
    const { send } = planMessages(rows, { ...quiet, last_message_at: inMs(-1_000) }, rules);
    expect(send).toMatchObject([{ digest: 'd1' }]);
    expect(idsOf(send[0]?.rows)).toEqual([3, 2]);
  });

  it('is another one when an update of its cases came after an ambiguous attempt', () => {
    const rows = [aRow(1, { ambiguous: true, digest: null }), aRow(2, { case_id: 1 })];
    const { send } = planMessages(rows, quiet, rules);
    expect(send).toMatchObject([{ digest: null }]);
    expect(idsOf(send[0]?.rows)).toEqual([2, 1]);
  });

  it.each<[string, Partial<Waiting>, Partial<Rules>]>([
    ['is being sent', { status: 'sending' }, {}],
    ['another replica holds', { lease_until: inMs(5_000) }, {}],
    [
      'Twilio may have, until its callback had time',
      { ambiguous: true, next_attempt_at: inMs(60_000) },
      { channel: 'whatsapp' },
    ],
  ])('has no update of a case of which another one %s', (_, over, changed) => {
    const rows = [aRow(1, { case_id: 7, ...over }), aRow(2, { case_id: 7 }), aRow(3)];
    expect(idsOf(planMessages(rows, quiet, { ...rules, ...changed }).send[0]?.rows)).toEqual([3]);
  });
});
