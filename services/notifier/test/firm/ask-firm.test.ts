import { describe, expect, it } from '@jest/globals';
import { reasonNotToTell } from '../../src/firm/ask-firm.ts';
import type { FirmNews } from '../../src/store/firm-news.ts';
import { aCaseReply } from '../support/firm.ts';

const at = { now: new Date('2027-01-13T12:00:00Z'), timeZone: 'UTC' };
const due = { date: '2027-02-12', days: 30 };
const open = { ...aCaseReply(7), respond_by: { date: due.date, source: 'notice' as const } };
const paused = { ...open, case: { ...open.case, active: false } };

const news = { kind: 'change', partner_id: 1, due: null } as FirmNews;
const reminder = { ...news, kind: 'reminder', due } as FirmNews;

describe('what a firm is not told any more', () => {
  it('is a change of a case that is paused, and not the day for its answer: USCIS waits for it all the same', () => {
    expect(reasonNotToTell(news, open, at)).toBeNull();
    expect(reasonNotToTell(news, paused, at)).toBe('case_gone');
    expect(reasonNotToTell(reminder, open, at)).toBeNull();
    expect(reasonNotToTell(reminder, paused, at)).toBeNull();
  });

  it('is a day that was moved, whose answer is sent, or of a case that is gone or of another firm', () => {
    const moved = { ...open, respond_by: { date: '2027-02-13', source: 'notice' as const } };
    expect(reasonNotToTell(reminder, moved, at)).toBe('date_passed');
    expect(reasonNotToTell(reminder, { ...open, respond_done: true }, at)).toBe('date_passed');
    expect(reasonNotToTell(reminder, undefined, at)).toBe('case_gone');
    expect(reasonNotToTell(reminder, { ...open, partner_id: 2 }, at)).toBe('case_gone');
  });
});
