import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  answerBy,
  detailMessage,
  explainStatus,
  knownStatuses,
  matchStatus,
  normaliseTitle,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

describe('the table of known statuses', () => {
  it('has 110 rows with unique slugs, each of which its own title and aliases lead to', () => {
    const rows = knownStatuses();
    expect(rows).toHaveLength(110);
    expect(new Set(rows.map((row) => row.code)).size).toBe(110);
    for (const row of rows) {
      for (const title of [row.en, ...(row.aliases ?? [])]) expect(matchStatus(title).slug).toBe(row.code);
    }
  });

  it('is the reviewed one, word for word: whoever changes a sentence has it reviewed anew', () => {
    const file = readFileSync(new URL('../src/statuses/statuses.json', import.meta.url));
    const digest = createHash('sha256').update(file).digest('hex');
    expect(digest).toBe('9926175056c3ea8cbf0fde01356fb8541f46dbd5b77801d319a21830b1173a49');
  });

  it('says its own sentences of each title in each language, and nothing else where no day is known', () => {
    for (const { en, meaning, action } of knownStatuses()) {
      for (const language of ['en', 'es', 'pt'] as const) {
        const sentences = [meaning[language], action?.[language]].filter((text) => text !== undefined);
        expect(explainStatus(en, null, language)).toBe(sentences.join(' '));
      }
    }
  });

  it('matches whatever the case, punctuation and spaces', () => {
    expect(matchStatus('  case WAS   received. ').slug).toBe('case_was_received');
    expect(normaliseTitle("Applicant's Card")).toBe('applicants card');
  });

  it('guesses a category from keywords, and says unknown where there is nothing to go by', () => {
    expect(matchStatus('Your Interview Somewhere Else')).toEqual({
      knownStatus: null,
      slug: 'unknown',
      category: 'interview',
    });
    expect(matchStatus('Zzz').category).toBe('unknown');
    expect(matchStatus('Your Response And A Fee Were Received').category).toBe('evidence');
    expect(matchStatus('We Received No Response').category).toBe('received');
  });

  it('reads a title of a megabyte in one pass', () => {
    const before = process.cpuUsage();
    expect(matchStatus('response '.repeat(110_000)).category).toBe('unknown');
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(5); // seconds of computing, not of waiting: it takes milliseconds
  });

  it('explains in the reader’s language, and says what to do where something is to be done', () => {
    const { knownStatus: known } = matchStatus('Fingerprint and Biometrics Appointment Was Scheduled');
    expect(known?.action).toBeDefined();
    const status_code = 'Fingerprint and Biometrics Appointment Was Scheduled';
    expect(detailMessage({ ...asked, status_code }, 'es')).toBe(`${known?.meaning.es} ${known?.action?.es}`);
    expect(detailMessage({ ...asked, status_code: 'Zzz' }, 'pt')).toContain('texto oficial');
  });
});

const asked = {
  status_code: 'Request for Additional Evidence Was Sent',
  form_type: 'I-130',
  modified_date: '2026-03-02T08:00:00.000Z',
  history: [
    { date: '2025-12-30', status_code: 'Case Was Received' },
    { date: '2025-11-01', status_code: 'Request For Additional Evidence Was Sent' },
    { date: '2026-01-05', status_code: 'REQUEST for additional evidence was sent.' },
  ],
};

describe('the latest day for an answer', () => {
  it('is counted from the last day that the history gives for the title', () => {
    expect(answerBy(asked)).toBe('2026-03-30');
  });

  it.each([
    ['is absent', []],
    ['has other titles only', asked.history.slice(0, 1)],
    ['has no such day', [{ date: '2026-02-31x', status_code: asked.status_code }]],
  ])('is counted from modified_date where the history %s', (_what, history) => {
    expect(answerBy({ ...asked, history })).toBe('2026-05-25');
    expect(answerBy({ ...asked, history, modified_date: new Date('2026-03-02T23:59:59.000Z') })).toBe(
      '2026-05-25',
    );
  });

  it('is sooner for some forms', () => {
    expect(answerBy({ ...asked, form_type: 'I-539' })).toBe('2026-02-04');
    expect(answerBy({ ...asked, form_type: null })).toBe('2026-03-30');
  });

  it('is unknown without a date, and where nothing is to be answered', () => {
    expect(answerBy({ ...asked, history: [], modified_date: null })).toBeNull();
    expect(answerBy({ ...asked, status_code: 'Case Was Approved' })).toBeNull();
    expect(answerBy({ ...asked, status_code: 'Zzz' })).toBeNull();
  });

  it.each([
    [
      'en',
      'The notice gives the date for the answer; our estimate of the latest possible day is March 30, 2026.',
    ],
    [
      'es',
      'El aviso indica la fecha para responder; según nuestro cálculo, el último día posible es el 30 de marzo de 2026.',
    ],
    [
      'pt',
      'O aviso traz a data para a resposta; pela nossa estimativa, o último dia possível é 30 de março de 2026.',
    ],
  ] as const)(
    'is one more sentence in %s, with the day of the history or of modified_date',
    (language, sentence) => {
      const { knownStatus: known } = matchStatus(asked.status_code);
      const before = `${known?.meaning[language]} ${known?.action?.[language]}`;
      expect(detailMessage(asked, language)).toBe(`${before} ${sentence}`);
      const byModified = detailMessage({ ...asked, history: [] }, language);
      expect(byModified).toBe(explainStatus(asked.status_code, '2026-05-25', language));
      expect(byModified).toMatch(/ 25 de ma[iy]o de 2026\.$|May 25, 2026\.$/);
      expect(detailMessage({ ...asked, history: [], modified_date: null }, language)).toBe(before);
    },
  );
});
