import { describe, expect, it } from '@jest/globals';
import { readAnswer } from '../../src/clients/read-answer.ts';

const receipt = 'EAC1000000001';

const answer = (status: number, body: unknown, contentType = 'application/json') =>
  readAnswer({ status, contentType, body: typeof body === 'string' ? body : JSON.stringify(body) }, receipt);

const good = {
  receiptNumber: receipt,
  formType: 'I-130',
  submittedDate: '09-05-2023 14:28:12',
  modifiedDate: '10-05-2023 08:00:00',
  current_case_status_text_en: 'Case Was Received',
  current_case_status_text_es: 'Caso Fue Recibido',
  current_case_status_desc_en: 'On September 5, 2023, we received your Form I-130.',
  current_case_status_desc_es: 'El 5 de septiembre de 2023 recibimos su Formulario I-130.',
  hist_case_status: [
    { date: '2023-09-04', completed_text_en: 'Fees Were Waived', completed_text_es: 'Se eximió el pago' },
  ],
};

const served = (changes: object) => answer(200, { case_status: { ...good, ...changes }, message: 'Query' });

function seen(changes: object) {
  const outcome = served(changes);
  if (outcome.outcome !== 'seen') throw new Error(`the outcome was ${outcome.outcome}`);
  const { facts, spanish, unread = [] } = outcome.seen;
  return { facts, spanish, unread };
}

describe('a 200 that shows nothing', () => {
  const empty = Object.fromEntries(Object.keys(good).map((name) => [name, '']));

  it.each([
    ['empty strings and no history, as the sandbox answered', { ...empty, hist_case_status: null }],
    ['the receipt number that was asked for', { ...empty, receiptNumber: receipt, hist_case_status: null }],
    ['the receipt number in lower case', { ...empty, receiptNumber: ' eac1000000001 ' }],
    ['nulls', Object.fromEntries(Object.keys(good).map((name) => [name, null]))],
    ['no field', {}],
    [
      'spaces, tags and invisible characters',
      { ...empty, formType: ' \t', current_case_status_desc_en: '<p>&nbsp;\u200b</p>' },
    ],
    ['an empty list', { ...empty, hist_case_status: [] }],
    ['an empty object', { ...empty, hist_case_status: {} }],
    ['rows without anything', { ...empty, hist_case_status: [{ date: '', completed_text_en: null }, null] }],
    ['no object', null],
    ['a field that we do not know, empty too', { ...empty, nextSteps: '' }],
  ])('is as a 404: %s', (_what, case_status) => {
    const message = `Query was successful for payload {'receipt_number': '${receipt}'}`;
    expect(answer(200, { case_status, message })).toEqual({ outcome: 'not_found', message: null });
  });

  it.each([
    ['of another receipt', { ...empty, receiptNumber: 'EAC1000000002' }, 'failed'],
    ['with a form', { ...empty, receiptNumber: receipt, formType: 'I-130' }, 'unreadable'],
    ['with a title alone', { ...good, current_case_status_desc_en: '' }, 'unreadable'],
    ['with a text alone', { ...good, current_case_status_text_en: ' ' }, 'unreadable'],
    [
      'with an entry of the history',
      { ...empty, receiptNumber: receipt, hist_case_status: good.hist_case_status },
      'unreadable',
    ],
    [
      'with words in a field that we do not know',
      { receiptNumber: receipt, fault: 'A timeout' },
      'unreadable',
    ],
    ['that is a list', [], 'unreadable'],
    ['with a number for the receipt', { ...empty, receiptNumber: 7 }, 'unreadable'],
  ])('is no 404 %s', (_what, case_status, outcome) => {
    expect(answer(200, { case_status }).outcome).toBe(outcome);
  });

  it('is unreadable without the object of the case', () => {
    for (const body of ['{}', '{"message":"ok"}', '[]', 'null', '""', '{"case_status":""}'])
      expect([body, answer(200, body).outcome]).toEqual([body, 'unreadable']);
  });

  it('is judged in time, however deep it is nested', () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    expect(answer(200, `{"case_status":{"hist_case_status":${deep}}}`).outcome).toBe('unreadable');
  });
});

describe('an optional field of another type or shape', () => {
  const odd = [7, true, {}, { a: 1 }, [], ['I-130'], [null, 1]];
  const fields = [
    ['formType', 'form_type'],
    ['submittedDate', 'submitted_date'],
    ['modifiedDate', 'modified_date'],
    ['current_case_status_text_es', 'status_code_es'],
    ['current_case_status_desc_es', 'status_description_es'],
  ] as const;

  it.each(fields)('%s is missing and counted', (field, fact) => {
    const missing = seen({ [field]: null });
    expect(missing.unread).toEqual([]);
    for (const value of odd) {
      const { facts, unread } = seen({ [field]: value });
      expect([value, facts]).toEqual([value, missing.facts]);
      const isEmpty = JSON.stringify(value) === '{}' || JSON.stringify(value) === '[]';
      expect([value, unread]).toEqual([value, isEmpty ? [] : [field]]);
      expect(facts[fact]).toBe(missing.facts[fact]);
    }
  });

  it.each(['nonsense', 7, true, { date: '2023-09-05', completed_text_en: 'Case Was Received' }, '[{}]'])(
    'a history that is no list is missing and counted: %j',
    (hist_case_status) => {
      const { facts, unread } = seen({ hist_case_status });
      expect([facts.status_code, facts.history, unread]).toEqual([
        'Case Was Received',
        [],
        ['hist_case_status'],
      ]);
    },
  );

  it.each([
    null,
    'Fees Were Waived',
    7,
    [],
    {},
    { date: '2023-09-05' },
    { completed_text_en: 'Case Was Approved' },
    { date: 'soon', completed_text_en: 'Case Was Approved' },
    { date: '2023-09-05', completed_text_en: ['Case Was Approved'] },
    { date: {}, completed_text_en: 'Case Was Approved' },
  ])('an invalid row of the history is left out and counted, the others stay: %j', (row) => {
    const { facts, unread } = seen({ hist_case_status: [row, ...good.hist_case_status] });
    expect([facts.history.map(({ status_code }) => status_code), unread]).toEqual([
      ['Fees Were Waived'],
      ['hist_case_status'],
    ]);
  });

  it('a row keeps its title where only its Spanish is no text', () => {
    const [row] = good.hist_case_status;
    const { facts, unread } = seen({ hist_case_status: [{ ...row, completed_text_es: 7 }] });
    expect(facts.history).toEqual([
      {
        date: '2023-09-04',
        status_code: 'Fees Were Waived',
        status_code_es: 'Se Eximió El Pago De Las Tarifas',
        status_code_pt: 'Taxas dispensadas',
      },
    ]);
    expect(unread).toEqual(['hist_case_status']);
  });

  it.each([
    { current_case_status_text_en: 7 },
    { current_case_status_text_en: ['Case Was Received'] },
    { current_case_status_desc_en: { text: 'We received it.' } },
    { current_case_status_desc_en: undefined },
  ])('is unreadable if the title or the text is missing: %j', (changes) => {
    expect(served(changes)).toEqual({ outcome: 'unreadable' });
  });

  it('of broken JSON too', () => {
    const broken = JSON.stringify({ case_status: good }).replace('"I-130"', '"I-"130"');
    expect(answer(200, broken)).toMatchObject({ outcome: 'seen', seen: { facts: { form_type: 'I-"130' } } });
    const list = broken.replace('"Fees', '"Fe"es');
    expect(answer(200, list)).toMatchObject({
      outcome: 'seen',
      seen: { facts: { history: [] }, unread: ['hist_case_status'] },
    });
  });
});

describe('a date', () => {
  const moment = '2026-11-02T14:28:12.000Z';
  const day = '2026-11-02';
  const forms: [unknown, string][] = [
    ['11-02-2026 14:28:12', moment],
    ['11/02/2026 14:28:12', moment],
    ['11/02/2026 2:28:12 PM', moment],
    ['11-02-2026', `${day}T00:00:00.000Z`],
    ['11/2/2026', `${day}T00:00:00.000Z`],
    ['2026-11-02', `${day}T00:00:00.000Z`],
    ['2026-11-02T14:28:12', moment],
    ['2026-11-02 14:28:12', moment],
    ['2026-11-02T14:28:12Z', moment],
    ['2026-11-02T14:28:12.000+0000', moment],
    ['2026-11-02T10:28:12.0000000-04:00', moment],
    ['2026-11-02T14:28', `${day}T14:28:00.000Z`],
    [Date.parse(moment), moment],
    [String(Date.parse(moment)), moment],
    [Date.parse(moment) / 1_000, moment],
    [String(Date.parse(moment) / 1_000), moment],
    ['November 2, 2026', `${day}T00:00:00.000Z`],
    ['Nov. 2, 2026', `${day}T00:00:00.000Z`],
    ['02-NOV-2026', `${day}T00:00:00.000Z`],
    ['Mon, 02 Nov 2026 14:28:12 GMT', moment],
    [' 2026-11-02\u00a0', `${day}T00:00:00.000Z`],
  ];

  it.each(forms)('is read in each form: %j', (value, at) => {
    const { facts, unread } = seen({
      submittedDate: value,
      modifiedDate: value,
      hist_case_status: [{ date: value, completed_text_en: 'Fees Were Waived' }],
    });
    expect([facts.submitted_date, facts.modified_date, facts.history[0]?.date, unread]).toEqual([
      at,
      at,
      day,
      [],
    ]);
  });

  it.each([
    'soon',
    '02-30-2026',
    '13-02-2026 00:00:00',
    '11-02-2026 24:00:00',
    '11-02-2026 10:61:00',
    '11-02-26',
    '02.11.2026',
    '11-02',
    '2026',
    '20261102',
    'November 2026',
    0,
    -1,
    1,
    1e20,
    '1e400',
    '0001-01-01T00:00:00',
    '9999-12-31',
    '2026-11-02 or so',
    '2026-11-02T10:00:00+99:00',
  ])('that cannot be read is null and counted: %j', (value) => {
    const { facts, unread } = seen({
      submittedDate: value,
      modifiedDate: value,
      hist_case_status: [{ date: value, completed_text_en: 'Fees Were Waived' }],
    });
    expect([facts.submitted_date, facts.modified_date, facts.history]).toEqual([null, null, []]);
    expect(unread.toSorted()).toEqual(['hist_case_status', 'modifiedDate', 'submittedDate']);
  });

  it.each([null, '', ' ', 'null', 'N/A', '-', undefined])('that is missing is not counted: %j', (value) => {
    const { facts, unread } = seen({ submittedDate: value, modifiedDate: value });
    expect([facts.submitted_date, facts.modified_date, unread]).toEqual([null, null, []]);
  });

  it('is the day as it was written in the history, sorted by time whatever the form', () => {
    const dates = [
      '11-03-2026 08:00:00',
      1_793_577_600_000,
      '2026-10-30T23:30:00-05:00',
      '10/31/2026 09:00 AM',
      '2026-10-31',
    ];
    const rows = dates.map((date, i) => ({ date, completed_text_en: `Step ${i}` }));
    const { facts } = seen({ hist_case_status: rows });
    expect(facts.history.map(({ date, status_code }) => [date, status_code])).toEqual([
      ['2026-10-30', 'Step 2'],
      ['2026-10-31', 'Step 4'],
      ['2026-10-31', 'Step 3'],
      ['2026-11-02', 'Step 1'],
      ['2026-11-03', 'Step 0'],
    ]);
  });
});

describe('the government’s Spanish', () => {
  const [row] = good.hist_case_status;

  it.each([
    ['the title', { current_case_status_text_es: 'CASE was received.' }],
    ['the text', { current_case_status_desc_es: '<p>On September 5, 2023 we received your Form I-130</p>' }],
    ['an alias of the title', { current_case_status_text_es: 'Case Was Received' }],
    ['another English title', { current_case_status_text_es: 'Case Was Approved' }],
  ])('is missing where it is English: %s', (_what, changes) => {
    const { facts, spanish, unread } = seen(changes);
    const field = 'current_case_status_text_es' in changes ? 'title' : 'description';
    expect(spanish[field]).toBeNull();
    expect(unread).toEqual([]);
    const fact = field === 'title' ? facts.status_code_es : facts.status_description_es;
    expect(fact).toMatch(/recib/i);
    expect(fact).not.toMatch(/received/i);
  });

  it('is null where our table has none', () => {
    const { facts } = seen({
      current_case_status_text_en: 'Case Went For A Walk',
      current_case_status_text_es: 'Case went for a walk',
      current_case_status_desc_es: good.current_case_status_desc_en,
    });
    expect([facts.status_code_es, facts.status_description_es]).toEqual([null, null]);
  });

  it('is missing in the history too', () => {
    const { facts } = seen({ hist_case_status: [{ ...row, completed_text_es: 'FEES WERE WAIVED' }] });
    expect(facts.history[0]?.status_code_es).toBe('Se Eximió El Pago De Las Tarifas');
  });

  it('stays where it is Spanish', () => {
    expect(seen({}).facts).toMatchObject({
      status_code_es: good.current_case_status_text_es,
      status_description_es: good.current_case_status_desc_es,
      history: [{ status_code_es: 'Se eximió el pago' }],
    });
  });
});

describe('words that say nothing', () => {
  const nothing = [
    'null',
    'NULL',
    ' Null. ',
    'N/A',
    'n.a.',
    'NA',
    '-',
    '--',
    '—',
    '...',
    '…',
    '. . .',
    'none',
    'None.',
    'undefined',
    'CASE STATUS',
    'Case Status:',
    'nil',
    'NaN',
    'not available',
    'Unknown',
    '[object Object]',
    '?',
    '0',
    '\u200b',
    '&nbsp;',
  ];

  it.each(nothing)('are no state: %j', (words) => {
    expect(served({ current_case_status_text_en: words })).toEqual({ outcome: 'unreadable' });
    expect(served({ current_case_status_desc_en: words })).toEqual({ outcome: 'unreadable' });
  });

  it.each(nothing)('are missing where they stand in an optional field: %j', (words) => {
    const { facts, unread } = seen({
      formType: words,
      current_case_status_text_es: words,
      current_case_status_desc_es: words,
    });
    const missing = seen({
      formType: null,
      current_case_status_text_es: null,
      current_case_status_desc_es: null,
    });
    expect([facts, unread]).toEqual([missing.facts, []]);
  });

  it.each([
    'Case Status Was Updated',
    'Name Was Updated',
    'Null And Void',
    'Case Is On Hold',
    'None Of The Fees Were Waived',
  ])('are others than these: %s', (title) => {
    expect(seen({ current_case_status_text_en: title }).facts.status_code).toBe(title);
  });
});

describe('invisible and directional characters', () => {
  const marks = [
    '\u00ad',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u2069',
    '\ufeff',
    '\u061c',
    '\u034f',
    '\u180e',
    '\ufe0f',
    '\u3164',
    '\u{e0041}',
    '&shy;',
    '&#8203;',
    '&zwj;',
    '&#x202E;',
  ];
  const inAll = (mark: string) => {
    const spoil = (text: string) => `${mark}${text.slice(0, 6)}${mark}${text.slice(6)}${mark}`;
    const [row] = good.hist_case_status;
    return {
      formType: spoil('I-130'),
      current_case_status_text_en: spoil('Case Was Received'),
      current_case_status_text_es: spoil(good.current_case_status_text_es),
      current_case_status_desc_en: spoil(good.current_case_status_desc_en),
      current_case_status_desc_es: spoil(good.current_case_status_desc_es),
      hist_case_status: [
        {
          date: row?.date,
          completed_text_en: spoil('Fees Were Waived'),
          completed_text_es: spoil('Se eximió el pago'),
        },
      ],
    };
  };

  it.each(marks)('are left out of every text, and its title is still matched: %j', (mark) => {
    expect(seen(inAll(mark))).toEqual(seen({}));
  });

  it.each(['\u00a0', '\u2007', '\u202f', '\u3000', '\u2028', '\u0085', '\t', '&nbsp;', '&#160;'])(
    'are a space where they are one: %j',
    (space) => {
      const { facts } = seen({
        current_case_status_text_en: `Case${space}Was${space}${space}Received`,
        current_case_status_desc_en: good.current_case_status_desc_en.replaceAll(' ', space),
      });
      expect(facts).toEqual(seen({}).facts);
    },
  );

  it('compose letters', () => {
    const { facts } = seen({ current_case_status_text_es: 'Se Envió'.normalize('NFD') });
    expect(facts.status_code_es).toBe('Se Envió');
  });

  it('are none in the government’s sentence of a refusal', () => {
    expect(answer(404, { code: 404, message: 'The re\u200bceipt\u202e is <b>unknown</b>.\u00a0' })).toEqual({
      outcome: 'not_found',
      message: 'The receipt is unknown.',
    });
  });
});

describe('the form', () => {
  it.each([
    ['Form I-130', 'I-130'],
    ['FORM N400', 'N-400'],
    ['form: i-765v', 'I-765V'],
    ['Formulario I-485', 'I-485'],
    ['I‑130', 'I-130'],
    ['I – 130', 'I-130'],
    ['i 539', 'I-539'],
    ['G28', 'G-28'],
    ['I-485 Supplement J', 'I-485 SUPPLEMENT J'],
    ['Petition', 'PETITION'],
  ])('%s is %s', (formType, form_type) => {
    expect(seen({ formType }).facts.form_type).toBe(form_type);
  });
});

describe('a 404', () => {
  const unknown = 'The receipt number is unknown.';

  it.each([
    [{ code: 404, message: 'Case not found.' }, 'Case not found.'],
    [{ code: '404', message: 'No case was found for this number.' }, 'No case was found for this number.'],
    [{ errors: [{ code: '404', message: 'Case not found' }] }, 'Case not found'],
    [{ errors: [{ code: 404, title: 'Not Found', detail: unknown }] }, unknown],
    [{ errors: { code: '404', message: unknown } }, unknown],
    [{ errors: [unknown] }, unknown],
    [{ error: [{ code: '404', message: unknown }] }, unknown],
    [{ error: { code: 404, message: 'Case not found.' } }, 'Case not found.'],
    [[{ code: '404', message: unknown }], unknown],
    [{ code: 'RECEIPT_NOT_FOUND', message: 'Not found.' }, 'Not found.'],
    [{ Error: unknown }, unknown],
    [{ error: 'not_found', error_description: unknown }, unknown],
    [{ case_status: null, message: 'No case was found.' }, 'No case was found.'],
    [{ fault: { faultstring: unknown, detail: { errorcode: 'steps.Raise' } } }, unknown],
  ])('of the Case Status API says that the receipt is unknown: %j', (body, message) => {
    expect(answer(404, body)).toEqual({ outcome: 'not_found', message });
  });

  it.each([
    { message: 'no Route matched with those values' },
    { message: 'Case not found.' },
    { code: 404, message: 'HTTP 404 Not Found' },
    { code: 404, message: 'No route matches.' },
    { code: 404, message: 'Not Found' },
    { code: 404, message: `Cannot GET /case-status/${receipt}` },
    { code: 404, message: 'The Case Status API has no such resource.' },
    { code: 404, message: `No static resource case-status/${receipt}.` },
    { code: 404, message: 'The requested URL /receipt/case was not found.' },
    { code: 500, message: 'Case not found.' },
    { errors: [{ code: '404', message: 'Not Found' }] },
    { errors: [{ code: '404' }] },
    { errors: [] },
    { error: 'Not Found', status: 404, path: `/case-status/${receipt}` },
    { status: 404, error: 'Not Found', message: `No static resource case-status/${receipt}.` },
    { detail: 'Not Found' },
    { fault: { faultstring: `Unable to identify proxy for host: default and url: /receipt/${receipt}` } },
    { fault: { faultstring: 'Case not found', detail: { errorcode: 'steps.Raise' } } },
    { code: 404, message: 'Receipt EAC1000000002 is unknown.' },
    '<html><body>The receipt was not found</body></html>',
    'The receipt was not found',
    '',
  ])('of a gateway or a framework, or of another receipt, is a failure: %j', (body) => {
    expect(answer(404, body).outcome).toBe('failed');
  });

  it('names the receipt only by its ends', () => {
    expect(answer(404, { code: 404, message: `Receipt ${receipt} is unknown.` })).toEqual({
      outcome: 'not_found',
      message: 'Receipt EAC…0001 is unknown.',
    });
  });
});

describe('the government’s sentence', () => {
  const message = 'Words of the government.';
  const shapes = [
    { code: 1, message },
    { errors: [{ code: '1', message }] },
    { errors: { message } },
    { errors: [message] },
    { errors: [{ code: '1', detail: message }] },
    { error: [{ code: '1', message }] },
    { error: { code: '1', message } },
    { error: { errors: [{ message }] } },
    { error: message },
    { error: 'a_code', error_description: message },
    { fault: { faultstring: message, detail: { errorcode: 'a.b' } } },
    { Error: message, ErrorCode: 'x' },
    { Message: message },
    { title: 'Refused', detail: message },
    [{ message }],
    { message: [message] },
  ];

  it.each(shapes)('is kept of %j', (body) => {
    expect(answer(401, body)).toEqual({ outcome: 'unauthorised', message });
    expect(answer(422, body)).toEqual({ outcome: 'rejected', message });
    expect(answer(429, body)).toMatchObject({ outcome: 'rate_limited', kind: 'spike', message });
    expect(answer(503, body)).toMatchObject({ outcome: 'closed', message });
  });

  it.each([
    '',
    '{}',
    '[]',
    'null',
    '7',
    '{"code":503}',
    '{"message":""}',
    '<html>closed</html>',
    '{"message":7}',
  ])('is none in %j', (body) => {
    expect(answer(503, body)).toMatchObject({ outcome: 'closed', message: null });
    expect(answer(401, body)).toEqual({ outcome: 'unauthorised', message: null });
  });

  it.each([
    ['one word', 'x'.repeat(250_000)],
    ['slashes', '/'.repeat(250_000)],
    ['numbers', '2026-11-02 '.repeat(22_000)],
    ['tags', '<a'.repeat(120_000)],
  ])('and a text are read in time: %s', (_what, words) => {
    const before = process.cpuUsage();
    answer(404, { code: words, message: words });
    served({ current_case_status_text_en: `Case ${words}`, current_case_status_desc_en: `On ${words}` });
    served({ current_case_status_text_es: words, modifiedDate: words, formType: words });
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(5); // seconds of computing, not of waiting: it takes milliseconds
  });

  it('is short, and whole characters', () => {
    const { message: kept } = answer(503, { message: '🙂'.repeat(400) }) as { message: string };
    expect(kept.length).toBeLessThanOrEqual(500);
    expect(kept.isWellFormed()).toBe(true);
  });
});
