import { describe, expect, it } from '@jest/globals';
import { answerCard, daysLeft, dueNote, leftInWords } from '../../src/pages/console/answer.ts';
import { createTimes } from '../../src/pages/parts/time.ts';

const times = (now: string, zone = 'America/New_York') =>
  createTimes({ now: new Date(now), zone, language: 'en' });

describe('the days that are left for an answer', () => {
  it.each([
    // 23:30 of the day before, and 00:30 of the day, in New York.
    ['2027-01-04T04:30:00Z', 'America/New_York', '2027-01-04', 1],
    ['2027-01-04T05:30:00Z', 'America/New_York', '2027-01-04', 0],
    ['2027-01-05T05:30:00Z', 'America/New_York', '2027-01-04', -1],
    // Both changes of the clock, and a leap day, in between.
    ['2027-03-13T17:00:00Z', 'America/New_York', '2027-03-15', 2],
    ['2026-10-31T17:00:00Z', 'America/New_York', '2026-11-02', 2],
    ['2028-02-28T17:00:00Z', 'America/New_York', '2028-03-01', 2],
    ['2027-01-04T11:00:00Z', 'Pacific/Auckland', '2027-01-06', 1],
  ])('are days of the calendar of the reader: at %s in %s until %s: %d', (now, zone, date, days) => {
    expect(daysLeft(times(now, zone), date)).toBe(days);
  });

  it.each([
    [5, '5 days left'],
    [1, '1 day left'],
    [0, 'due today'],
    [-1, '1 day ago'],
    [-3, '3 days ago'],
  ])('%d reads: %s', (days, words) => {
    expect(leftInWords(days)).toBe(words);
  });
});

describe('the card of the answer', () => {
  const now = '2026-12-20T12:00:00Z';
  const view = { times: times(now), isEditor: true, refusal: undefined };
  const latest_update = { status_code: 'Case Was Approved', category: 'approved' };
  const row = {
    user_case_id: 'FLOW0001042',
    respond_by: null,
    respond_done: null,
    latest_update,
  } as never as Parameters<typeof answerCard>[0];
  const notice = { date: '2027-01-04', source: 'notice' } as const;

  it('says how many days are left and where the day comes from', () => {
    const card = answerCard({ ...row, respond_by: notice }, view).html;
    expect(card).toContain('Mon, Jan 4, 2027');
    expect(card).toContain('15 days left');
    expect(card).toContain('From the notice');
    expect(card).toContain('/console/cases/FLOW0001042/answer/done');
    expect(card).toContain('/answer/estimate');
    const estimated = answerCard({ ...row, respond_by: { ...notice, source: 'estimate' } }, view).html;
    expect(estimated).toContain('Our estimate');
    expect(estimated).not.toContain('/answer/estimate');
  });

  it('says who sent the answer, and counts no more days', () => {
    const respond_done = {
      at: '2026-12-19 10:00:00',
      by: { kind: 'staff', id: 12, name: 'Bia Costa' },
    } as const;
    const card = answerCard({ ...row, respond_by: notice, respond_done }, view).html;
    expect(card).toContain('Bia Costa');
    expect(card).not.toContain('days left');
    expect(card).toContain('/answer/undone');
    // Without a day, none has to be known any more.
    const asked = {
      ...row,
      latest_update: { status_code: 'Notice Of Intent To Deny Was Sent', category: 'evidence' },
    } as typeof row;
    expect(answerCard({ ...asked, respond_done }, view).html).not.toContain('No day known');
    expect(answerCard(asked, view).html).toContain('No day known');
  });

  it('has no form for a viewer, and no button where no answer is asked for', () => {
    expect(answerCard({ ...row, respond_by: notice }, { ...view, isEditor: false }).html).not.toContain(
      '<form',
    );
    const card = answerCard(row, view).html;
    expect(card).not.toContain('/answer/done');
    expect(card).toContain('name="respond_by"');
  });

  it('stands in lists as a short note', () => {
    expect(dueNote(times(now), notice)?.html).toContain('>15 days left<');
    expect(dueNote(times('2027-01-05T12:00:00Z'), notice)?.html).toContain('>overdue<');
    expect(dueNote(times(now), notice)?.html).toMatch(/title="\w{3}, \w{3} \d+, 20\d\d\. From the notice/);
    expect(dueNote(times(now), null)).toBeNull();
  });
});
