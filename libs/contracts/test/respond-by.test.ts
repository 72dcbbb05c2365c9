import {
  datesAfter,
  detailMessage,
  estimatedRespondBy,
  noticeDays,
  noticeSentence,
  type RespondBy,
  statusWords,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

const evidence = {
  status_code: 'Request for Additional Evidence Was Sent',
  status_slug: 'request_for_additional_evidence_was_sent',
  status_description: 'On January 1, 2026, we sent a request for additional evidence for your Form I-130.',
  form_type: 'I-130',
};
const seenAt = new Date('2026-01-15T12:00:00.000Z');
const on = (day: string) => `On ${day}, we sent a request for additional evidence for your Form I-130.`;

describe('the estimated day for an answer', () => {
  // 84 days after the notice. The months between have 31, 28, 29 or 30 days.
  it.each([
    ['January 1, 2026', '2026-03-26'],
    ['December 7, 2025', '2026-03-01'],
    ['December 6, 2027', '2028-02-28'],
    ['December 7, 2027', '2028-02-29'],
    ['December 8, 2027', '2028-03-01'],
    ['February 29, 2028', '2028-05-23'],
    ['November 30, 2026', '2027-02-22'],
    ['October 9, 2026', '2027-01-01'],
  ])('counts days of the calendar: from %s it is %s', (day, date) => {
    const status = { ...evidence, status_description: on(day) };
    const sent = new Date(`${day} 12:00 UTC`);
    expect(estimatedRespondBy(status, sent)).toEqual({ date, source: 'estimate' });
  });

  it.each<[string, object]>([
    ['no date in the text', { status_description: 'We sent a request for additional evidence.' }],
    ['a day that the calendar does not have', { status_description: on('February 29, 2027') }],
    [
      'two days of which either may be the notice',
      { status_description: 'On January 1, 2026, or January 3, 2026, we sent a request for evidence.' },
    ],
    ['a day after today', { status_description: on('January 16, 2026') }],
    ['a day for an answer that has passed', { status_description: on('October 1, 2025') }],
    ['a title that asks for no answer', { status_code: 'Case Was Approved' }],
    ['a title that only sounds like a request', { status_code: 'Request for Initial Evidence Was Not Sent' }],
    ['a title that nobody knows', { status_code: 'Zzz' }],
  ])('is null with %s', (_what, over) => {
    expect(estimatedRespondBy({ ...evidence, ...over }, seenAt)).toBeNull();
  });
});

describe('the dates of a case after another update', () => {
  const estimate: RespondBy = { date: '2026-03-26', source: 'estimate' };
  const notice: RespondBy = { date: '2026-02-10', source: 'notice' };
  const later: RespondBy = { date: '2026-04-01', source: 'estimate' };
  const done = { at: seenAt, by: { kind: 'staff', id: 7 } as const };
  const noted = { latest_update: evidence, respond_by: notice, respond_done: done };

  it('keep what the firm noted when only the words change, also under another name of the title', () => {
    const kept = { respond_by: notice, respond_done: done };
    expect(datesAfter(noted, { ...evidence, respond_by: later })).toEqual(kept);
    const alias = { ...evidence, status_code: 'Request For Additional Evidence Was Sent', respond_by: later };
    expect(datesAfter(noted, alias)).toEqual(kept);
  });

  it('follow the new words where the firm noted no day', () => {
    const before = { latest_update: evidence, respond_by: estimate, respond_done: done };
    expect(datesAfter(before, { ...evidence, respond_by: later })).toEqual({
      respond_by: later,
      respond_done: done,
    });
    expect(datesAfter(before, { ...evidence, respond_by: null }).respond_by).toBeNull();
  });

  it.each([
    [
      'asks for no answer',
      { status_code: 'Case Was Approved', status_slug: 'case_was_approved', respond_by: null },
    ],
    [
      'asks for another answer',
      {
        status_code: 'Request for Initial Evidence Was Sent',
        status_slug: 'request_for_initial_evidence_was_sent',
        respond_by: later,
      },
    ],
    ['is not in the table', { status_code: 'Zzz', status_slug: 'unknown', respond_by: null }],
  ])('begin anew with a status that %s', (_what, update) => {
    expect(datesAfter(noted, update)).toEqual({ respond_by: update.respond_by, respond_done: null });
  });

  it('tell unknown titles apart', () => {
    const unknown = (status_code: string) => ({ status_code, status_slug: 'unknown' });
    const before = { ...noted, latest_update: unknown('Aaa') };
    expect(datesAfter(before, { ...unknown('Aaa'), respond_by: null }).respond_by).toEqual(notice);
    expect(datesAfter(before, { ...unknown('Bbb'), respond_by: null })).toEqual({
      respond_by: null,
      respond_done: null,
    });
  });

  it('begin with the first status, and keep what the firm noted before it', () => {
    const unseen = { respond_by: null, respond_done: null, latest_update: null };
    expect(datesAfter(unseen, { ...evidence, respond_by: estimate })).toEqual({
      respond_by: estimate,
      respond_done: null,
    });
    const { respond_by, respond_done } = noted;
    expect(datesAfter({ ...noted, latest_update: null }, { ...evidence, respond_by: estimate })).toEqual({
      respond_by,
      respond_done,
    });
  });
});

it('a notice can name a day from 90 days ago to 366 days from now', () => {
  expect(noticeDays(new Date('2027-03-01T23:59:59.999Z'))).toEqual({
    first: '2026-12-01',
    last: '2028-03-01',
  });
});

describe('the explanation of a status with a day from the notice', () => {
  const respond_by: RespondBy = { date: '2026-02-10', source: 'notice' };

  it.each([
    ['en', 'USCIS must receive the answer by February 10, 2026.'],
    ['es', 'USCIS debe recibir la respuesta a más tardar el 10 de febrero de 2026.'],
    ['pt', 'O USCIS precisa receber a resposta até 10 de fevereiro de 2026.'],
  ] as const)('begins with that day, and has no estimate: %s', (language, beginning) => {
    const message = detailMessage({ ...evidence, respond_by }, language, seenAt);
    const { meaning, action } = statusWords(evidence.status_code, language);
    expect(message).toBe(`${noticeSentence('2026-02-10', language)} ${meaning} ${action}`);
    expect(message.startsWith(beginning)).toBe(true);
    expect(message).not.toMatch(/March|marzo|março/);
  });

  it('has no day at all once it has passed, also where our estimate has not', () => {
    const message = detailMessage({ ...evidence, respond_by }, 'en', new Date('2026-02-11T00:00:00.000Z'));
    expect(message).not.toMatch(/2026/);
    expect(detailMessage({ ...evidence, respond_by }, 'en', new Date('2026-02-10T23:59:59.000Z'))).toContain(
      'February 10',
    );
  });

  it('is with an estimate as it is without', () => {
    const estimate: RespondBy = { date: '2026-03-26', source: 'estimate' };
    expect(detailMessage({ ...evidence, respond_by: estimate }, 'en', seenAt)).toBe(
      detailMessage(evidence, 'en', seenAt),
    );
  });
});
