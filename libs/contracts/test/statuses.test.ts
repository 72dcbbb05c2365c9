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
  it('has 124 rows with unique slugs, each of which its own title and aliases lead to', () => {
    const rows = knownStatuses();
    expect(rows).toHaveLength(124);
    expect(new Set(rows.map((row) => row.code)).size).toBe(124);
    for (const row of rows) {
      for (const title of [row.en, ...(row.aliases ?? [])]) expect(matchStatus(title).slug).toBe(row.code);
    }
  });

  it('knows the titles that USCIS came to show after 2021', () => {
    for (const title of [
      'Case Was Received and A Receipt Notice Was Sent',
      'USCIS Is Currently Processing the Case',
      'Request Was Processed',
      'Request Was Rejected',
      'Document Is Being Held For 180 Days',
      'Document Was Returned As Undeliverable',
      'Case Is On Hold',
      'Document Was Returned To USCIS And Is Being Held',
      'Sent to CDC for Opinion',
      'Prequalified Decision Notice Was Mailed',
      'CNMI Semiannual Report Received',
      'Case Was Not Revoked or Cancelled By USCIS',
      'Document and Letter Was Received',
      'Document and Letter Was Received and Under Review',
      'Notice Explaining Actions Mailed',
      'Case Was Approved And USCIS Notified The U.S. Consulate or Port of Entry',
    ])
      expect([title, matchStatus(title).slug]).not.toEqual([title, 'unknown']);
    expect(matchStatus('Case Was Not Revoked or Cancelled By USCIS').category).toBe('approved');
  });

  it.each([
    ['notice_of_intent_to_deny_was_sent', /immigration lawyer or accredited representative/],
    ['case_was_denied', /immigration lawyer or accredited representative/],
    ['case_was_sent_to_the_executive_office_of_immigration_review', /uscis\.gov\/avoid-scams/],
  ])('sends people to a lawyer where a right can be lost: %s', (slug, advice) => {
    const row = knownStatuses().find(({ code }) => code === slug);
    expect(row?.action?.en).toMatch(advice);
    for (const language of ['es', 'pt'] as const)
      expect(row?.action?.[language]).toContain('uscis.gov/avoid-scams');
  });

  it('names a lawyer in three languages for each notice, refusal and end by which a right can be lost', () => {
    const named = /intent|revo|rescind|terminat|dismissed|executive_office|no_one_appeared/;
    const concerned = knownStatuses().filter(
      ({ code, category }) =>
        ['denied', 'rejected'].includes(category) || (named.test(code) && !code.includes('_not_')),
    );
    expect(concerned.length).toBeGreaterThanOrEqual(22);
    for (const { code, action } of concerned) {
      expect([code, action?.en]).toEqual([code, expect.stringContaining('accredited representative')]);
      expect([code, action?.es]).toEqual([code, expect.stringContaining('representante acreditado')]);
      expect([code, action?.pt]).toEqual([code, expect.stringContaining('representante credenciado')]);
    }
  });

  it('is the reviewed table, word for word: a changed sentence needs a review', () => {
    const file = readFileSync(new URL('../src/statuses/statuses.json', import.meta.url));
    const digest = createHash('sha256').update(file).digest('hex');
    expect(digest).toBe('94d7f47dd9acd4200995a7b240ddca2b2703f81c839bfb33f4d256da2bd7ffc7');
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

  it('guesses nothing from a title that denies something', () => {
    expect(matchStatus('Petition Was Not Revoked By USCIS').category).toBe('unknown');
    expect(matchStatus('Evidence Was NOT Received').category).toBe('unknown');
    expect(matchStatus('A Notice Was Revoked').category).toBe('denied');
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
    expect(detailMessage({ ...asked, status_code }, 'es', now)).toBe(
      `${known?.meaning.es} ${known?.action?.es}`,
    );
    expect(detailMessage({ ...asked, status_code: 'Zzz' }, 'pt', now)).toContain('texto oficial');
  });
});

const asked = {
  status_code: 'Request for Additional Evidence Was Sent',
  status_description:
    'On January 1, 2026, we sent a request for additional evidence for your Form I-130. Answer by March 2, 2026.',
  form_type: 'I-130',
};
const dateless = {
  ...asked,
  status_description: 'We sent a request for additional evidence. It says what is due.',
};
const now = new Date('2026-01-15T12:00:00.000Z');

describe('the latest day for an answer', () => {
  it('is counted from the date in the first sentence of USCIS', () => {
    expect(answerBy(asked, now)).toBe('2026-03-26');
    expect(answerBy({ ...asked, title_modified_date: '2026-02-20T00:00:00.000Z' }, now)).toBe('2026-03-26');
  });

  it.each(['2026-01-05T23:59:59.000Z', new Date('2026-01-05T23:59:59.000Z')])(
    'is counted from the first modified_date of the title where the first sentence has no date: %s',
    (title_modified_date) => {
      expect(answerBy({ ...dateless, title_modified_date }, now)).toBe('2026-03-30');
    },
  );

  it('reads no impossible date, and no date of a later sentence', () => {
    const impossible = 'On February 31, 2026, we sent a request. On January 1, 2026, we got a form.';
    expect(answerBy({ ...asked, status_description: impossible }, now)).toBeNull();
  });

  it.each([
    ['only', 'Your response is due by January 4, 2027. On November 2, 2026, we sent you a request.'],
    [
      'beside the day of the notice',
      'On November 2, 2026, we sent you a request that ends on January 4, 2027. Wait.',
    ],
    [
      'before the day of the notice',
      'By January 4, 2027, answer the request that we sent on November 2, 2026. Wait.',
    ],
    ['tomorrow', 'On November 16, 2026, we sent you a request. Wait.'],
    ['in numbers', 'Your response is due 01/04/2027. On November 2, 2026, we sent you a request.'],
    [
      'in words of another order',
      'We expect you on 4 January 2027. On November 2, 2026, we sent you a request.',
    ],
  ])('is unknown where the first sentence has a day after today: %s', (_what, status_description) => {
    const november = new Date('2026-11-15T12:00:00.000Z');
    const title_modified_date = '2026-11-02T08:00:00.000Z';
    expect(answerBy({ ...asked, status_description, title_modified_date }, november)).toBeNull();
  });

  it.each([
    'Your response is due by January 4, 2027. On November 2, 2026, we sent you a request.',
    'You must answer no later than January 4, 2027.',
    'Respond by Jan. 4, 2027.',
    'The deadline of January 4, 2027 is near.',
    'Please send all papers before January 4, 2027.',
    'We must receive the papers by January 4, 2027.',
    'The request expires on January 4, 2027.',
    'On 04.01.2027, we sent you a request.',
    'On 01/04/27, we sent you a request.',
    'On 13/01/2027, we sent you a request.',
    'On October 1, 2026, we received your form and on January 4, 2027, we sent a request.',
  ])('is unknown where the day is perhaps not the one of the notice, also once it has passed: %s', (text) => {
    const later = new Date('2027-01-10T12:00:00.000Z');
    const title_modified_date = '2026-11-02T08:00:00.000Z';
    expect(answerBy({ ...asked, status_description: text, title_modified_date }, later)).toBeNull();
  });

  it.each([
    'On November 2, 2026, we sent you a request. Your response is due by January 4, 2027.',
    'On Nov. 2, 2026, we sent you a request.',
    'On Nov 2 2026 we sent you a request.',
    'On NOVEMBER 2ND, 2026, we sent you a request.',
    'On Monday, November 02, 2026, we sent you a request.',
    'On 2 November 2026, we sent you a request.',
    'On the U.S. calendar, on 2nd of November, 2026, we sent you a request.',
    'On 02-NOV-2026, we sent you a request.',
    'On 11/02/2026, we sent you a request.',
    'On 11-02-2026, we sent you a request.',
    'On 2026-11-02, we sent you a request.',
    'On 2026/11/2 we sent you a request.',
    'El 2 de noviembre de 2026, le enviamos una petición.',
    'As of November 2, 2026, we ask for evidence. On May 1, 2026, we got your form.',
    'We e-mailed you a request on November 2, 2026.',
    'A request dated November 2, 2026 was sent.',
    'On November 2, 2026, we sent a request for the form that you filed on May 1, 2026.',
    'On November\u00a02, 2026, we sent you a request.',
  ])('is counted from the day of the notice in each notation: %s', (status_description) => {
    const november = new Date('2026-11-15T12:00:00.000Z');
    expect(answerBy({ ...asked, status_description }, november)).toBe('2027-01-25');
    // The day of the notice counts from its own day on.
    expect(answerBy({ ...asked, status_description }, new Date('2026-11-02T00:00:00.000Z'))).toBe(
      '2027-01-25',
    );
  });

  it('is unknown where the date of the title is after today', () => {
    const future = { ...dateless, title_modified_date: '2026-01-16T08:00:00.000Z' };
    expect(answerBy(future, now)).toBeNull();
    expect(answerBy(future, new Date('2026-01-16T08:00:00.000Z'))).toBe('2026-04-10');
  });

  it.each([
    'I-539',
    'I539',
    'i-539',
    'Form I-539',
    'FORM I539',
    'I – 539',
    'I-539, Application to Extend',
    'Formulario I-539',
  ])('is sooner for the form however it is written: %s', (form_type) => {
    expect(answerBy({ ...asked, form_type }, now)).toBe('2026-01-31');
  });

  it('is that of the form itself, not of one that begins with the same digits', () => {
    for (const form_type of ['I-5390', 'I-601', 'I-539B', 'AI-539'])
      expect([form_type, answerBy({ ...asked, form_type }, now)]).toEqual([form_type, '2026-03-26']);
    expect(answerBy({ ...asked, form_type: 'I-601A' }, now)).toBe('2026-01-31');
  });

  it('is sooner for some forms', () => {
    expect(answerBy({ ...asked, form_type: 'I-539' }, now)).toBe('2026-01-31');
    expect(answerBy({ ...asked, form_type: null }, now)).toBe('2026-03-26');
  });

  it('is never a past day', () => {
    expect(answerBy(asked, new Date('2026-03-26T23:59:59.000Z'))).toBe('2026-03-26');
    expect(answerBy(asked, new Date('2026-03-27T00:00:00.000Z'))).toBeNull();
  });

  it('is unknown without a source, and where nothing is to be answered', () => {
    expect(answerBy(dateless, now)).toBeNull();
    expect(answerBy({ ...dateless, title_modified_date: null }, now)).toBeNull();
    expect(answerBy({ ...asked, status_code: 'Case Was Approved' }, now)).toBeNull();
    expect(answerBy({ ...asked, status_code: 'Zzz' }, now)).toBeNull();
  });

  it.each([
    [
      'en',
      'Follow the deadline in the notice; it may be earlier than our estimate. By our estimate, USCIS must receive the answer by March 26, 2026 at the latest. Do not wait until that day.',
    ],
    [
      'es',
      'Siga la fecha límite que indica el aviso; puede ser anterior a la de nuestro cálculo. Según nuestro cálculo, USCIS debe recibir la respuesta a más tardar el 26 de marzo de 2026. No espere hasta ese día.',
    ],
    [
      'pt',
      'Siga o prazo escrito no aviso; ele pode terminar antes da nossa estimativa. Pela nossa estimativa, o USCIS precisa receber a resposta até 26 de março de 2026, no máximo. Não espere até esse dia.',
    ],
  ] as const)('is one more passage in %s', (language, passage) => {
    const { knownStatus: known } = matchStatus(asked.status_code);
    const before = `${known?.meaning[language]} ${known?.action?.[language]}`;
    expect(detailMessage(asked, language, now)).toBe(`${before} ${passage}`);
    expect(detailMessage(dateless, language, now)).toBe(before);
  });
});
