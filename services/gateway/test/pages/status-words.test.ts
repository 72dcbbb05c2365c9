import { detailMessage, knownStatuses, language, noticeSentence, statusWords } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { explanationOf, hasAction, lastDayOf, withBoldDay } from '../../src/pages/people/status-words.ts';

const sent = new Date('2026-11-20T00:00:00.000Z');

/** A status as the cases service presents it. */
function updateOf(title: string, form_type: string | null) {
  return {
    id: 1,
    kind: 'status' as const,
    changes: ['title' as const],
    spanish_source: 'uscis' as const,
    touched_at: null,
    status_code: title,
    status_description: `On November 20, 2026, this happened: ${title}.`,
    form_type,
    status_code_es: null,
    status_description_es: null,
    status_code_pt: null,
    status_description_pt: null,
    status_slug: 'x',
    category: 'x',
    submitted_date: null,
    modified_date: null,
    history: [],
    timestamp: sent.toISOString(),
    respond_by: null,
  };
}

describe('the explanation of a status', () => {
  it.each(language.options)('has the words of the status table, the action apart, in %s', (choice) => {
    const parts = knownStatuses().map((status) => {
      const update = updateOf(status.en, 'I-485');
      const detail_message = detailMessage(update, choice, sent);
      const { meaning, toDo } = explanationOf({ ...update, detail_message }, choice);
      expect(meaning).toBe(status.meaning[choice]);
      expect(toDo?.action).toBe(status.action?.[choice]);
      expect([meaning, toDo?.action, toDo?.deadline].filter(Boolean).join(' ')).toBe(detail_message);
      return toDo;
    });
    const withDeadline = parts.filter((toDo) => toDo?.deadline);
    expect(withDeadline.length).toBeGreaterThan(0);
    for (const toDo of withDeadline)
      expect(withBoldDay(toDo?.deadline ?? '').html).toMatch(/<strong>.*202\d<\/strong>/);
  });

  it.each([
    'Approval Of Your Petition Was Revoked',
    'Case Rejected For A Missing Page',
    'Evidence Was Requested',
  ])('of a grave title outside the table has something to do: %s', (title) => {
    const update = updateOf(title, null);
    const detail_message = detailMessage(update, 'pt', sent);
    const { meaning, toDo } = explanationOf({ ...update, detail_message }, 'pt');
    expect(meaning).toMatch(/^Ainda não temos uma explicação/);
    expect(toDo).toEqual({
      notice: '',
      action: expect.stringContaining('uscis.gov/e-request'),
      deadline: '',
    });
    expect(hasAction({ ...update, detail_message })).toBe(true);
  });

  it.each([
    ['Case Was Put On A Ship', false],
    ['Evidence Was Received', false],
    ['Case Was Received', false],
    ['Advance Parole Document Was Produced', true],
    ['Withdrawal Of My Appeal Was Acknowledged', true],
  ])('of %s: something to do is %s', (title, isAction) => {
    const update = updateOf(title, null);
    expect(hasAction({ ...update, detail_message: detailMessage(update, 'en', sent) })).toBe(isAction);
  });

  it('of a title outside the table is the message as it came', () => {
    const update = updateOf('Case Was Put On A Ship', null);
    const detail_message = detailMessage(update, 'es', sent);
    expect(explanationOf({ ...update, detail_message }, 'es')).toEqual({
      meaning: detail_message,
      toDo: null,
    });
  });

  it.each(language.options)('has the day in the notice apart, in %s, until it has passed', (choice) => {
    const respond_by = { date: '2026-12-10', source: 'notice' } as const;
    const update = { ...updateOf('Request for Initial Evidence Was Sent', 'I-485'), respond_by };
    const detail_message = detailMessage(update, choice, sent);
    const { meaning, action } = statusWords(update.status_code, choice);
    const notice = noticeSentence('2026-12-10', choice);
    expect(explanationOf({ ...update, detail_message }, choice)).toEqual({
      meaning,
      toDo: { notice, action, deadline: '' },
    });
    expect(lastDayOf({ ...update, detail_message }, choice, sent)).toBe('2026-12-10');
    const nextDay = new Date('2026-12-11T00:00:00.000Z');
    const later = detailMessage(update, choice, nextDay);
    expect(explanationOf({ ...update, detail_message: later }, choice).toDo).toMatchObject({ notice: '' });
    expect(lastDayOf({ ...update, detail_message: later }, choice, nextDay)).toBeNull();
    // A title without anything to do, whose paper asks for an answer.
    const quiet = { ...updateOf('Case Was Received', 'I-485'), respond_by };
    const message = detailMessage(quiet, choice, sent);
    expect(explanationOf({ ...quiet, detail_message: message }, choice).toDo).toEqual({
      notice,
      action: '',
      deadline: '',
    });
  });
});
