import { describe, expect, it } from '@jest/globals';
import { missedUpdate } from '../../src/domain/case-update.ts';
import { shownOf } from '../../src/domain/fan-out.ts';
import { follow, seen, watching } from '../support/answers.ts';

const title = 'Case Was Received';
const words =
  'On September 5, 2023, we received your Form I-130, and sent the applicant\'s notice - "keep it". Wait...';
const approval = 'We approved your Form I-130, Petition for Alien Relative.';
const first = (parts: Parameters<typeof seen>[1] = {}) => seen(title, { words, ...parts });
const later = (parts: Parameters<typeof seen>[1] = {}) => seen(title, { words, hours: 48, ...parts });

describe('typography', () => {
  it.each([
    ['an apostrophe', words.replace("'", '’')],
    ['a dash', words.replace(' - ', ' – ')],
    ['a long dash without spaces', words.replace(' - ', '—')],
    ['a space that does not break', words.replaceAll(' ', '\u00a0')],
    ['a space before a full stop', words.replace('. Wait', ' . Wait')],
    ['two spaces', words.replaceAll(' ', '  ')],
    ['quotation marks', words.replace('"keep it"', '“keep it”')],
    ['guillemets', words.replace('"keep it"', '«keep it»')],
    ['an ellipsis', words.replace('...', '…')],
    ['a hyphen that does not break', words.replace('I-130', 'I\u2011130')],
    ['a soft hyphen', words.replace('received', 're\u00adceived')],
    ['a space of no width', words.replace('received', 'received\u200b')],
    ['upper case', words.toUpperCase()],
  ])('of the text is no change: %s', (_name, text) => {
    const { given, touches, receipt } = follow(first(), later({ words: text }));
    expect([given, touches]).toEqual([[], []]);
    // The last answer is the one that is shown.
    expect(receipt.facts?.status_description).toBe(text.replaceAll(/\p{Cf}/gu, '').replaceAll(/\s+/g, ' '));
  });

  it.each([
    ['a word', words.replace('received', 'returned')],
    ['a number', words.replace('I-130', 'I-131')],
    ['a date', words.replace('September 5', 'September 6')],
    ['a word less', words.replace('Wait', '')],
    ['a negation', words.replace('we received', 'we have not received')],
    ['a symbol', `${words} Pay $5.`],
    ['another symbol', `${words} Pay 5%.`],
  ])('is not %s: that is told', (_name, text) => {
    expect(follow(first(), later({ words: text })).given).toEqual([
      { id: 2, kind: 'details', skip: null, changes: ['text'], entries: [] },
    ]);
  });

  it('of symbols that say different things is none', () => {
    const dollars = first({ words: `${words} Pay $5.` });
    expect(follow(dollars, later({ words: `${words} Pay 5%.` })).given).toMatchObject([
      { changes: ['text'] },
    ]);
  });

  it.each([
    ['the title', { title: 'Case  Was Received' }],
    [
      'an entry of the history',
      { history: [['2023-09-05', 'We got the applicant’s form – I-130.']] as [string, string][] },
    ],
    ['the Spanish', { es: { title: 'Caso «Recibido»', text: 'Recibimos su formulario –  espere…' } }],
  ])('of %s is no change either', (_name, parts) => {
    const before = first({
      history: [['2023-09-05', "We got the applicant's form - I-130."]],
      es: { title: 'Caso "Recibido"', text: 'Recibimos su formulario - espere...' },
    });
    const now = seen('title' in parts ? parts.title : title, {
      words,
      hours: 48,
      history: [['2023-09-05', "We got the applicant's form - I-130."]],
      es: { title: 'Caso "Recibido"', text: 'Recibimos su formulario - espere...' },
      ...parts,
    });
    const { given, touches } = follow(before, now);
    expect([given, touches]).toEqual([[], []]);
  });

  it('that comes with a moved date is a touch', () => {
    const { given, touches } = follow(
      first({ modified: '11-20-2026 10:00:00' }),
      later({ words: words.replace("'", '’'), modified: '11-22-2026 10:00:00' }),
    );
    expect([given, touches]).toEqual([[], [{ id: 1, at: '2026-11-22T10:00:00.000Z' }]]);
  });
});

describe('a date that moves alone', () => {
  const dated = (day: number, hours: number) => first({ modified: `11-${day}-2026 10:00:00`, hours });

  it('is no update: it touches the one before, again and again, and the state stands since it was first seen', () => {
    const { given, touches, receipt, watch } = follow(
      dated(20, 0),
      dated(22, 48),
      dated(23, 72),
      dated(24, 96),
    );
    expect(given).toEqual([]);
    expect(touches.map(({ id, at }) => [id, at.slice(0, 10)])).toEqual([
      [1, '2026-11-22'],
      [1, '2026-11-23'],
      [1, '2026-11-24'],
    ]);
    expect(receipt).toMatchObject({ observation: 1, title_modified_date: '2026-11-20T10:00:00.000Z' });
    expect(receipt.since?.toISOString()).toBe('2026-11-21T12:00:00.000Z');
    expect(receipt.facts?.modified_date).toBe('2026-11-24T10:00:00.000Z');
    expect(watch.last_observation).toBe(1);
  });

  it.each([
    ['goes back', dated(19, 48), '2026-11-23T12:00:00.000Z'],
    ['lies in the future', dated(30, 48), '2026-11-23T12:00:00.000Z'],
    ['vanishes', later(), '2026-11-23T12:00:00.000Z'],
  ])('and %s touches at the time of the check', (_name, answer, at) => {
    expect(follow(dated(20, 0), answer).touches).toEqual([{ id: 1, at }]);
  });

  it('never sets the time back', () => {
    const { touches } = follow(dated(22, 0), dated(20, 96), dated(21, 97));
    expect(touches.map(({ at }) => at)).toEqual(['2026-11-25T12:00:00.000Z', '2026-11-25T12:00:00.000Z']);
  });

  it('does not stay with the next update', () => {
    const approved = seen('Case Was Approved', { hours: 72, modified: '11-24-2026 10:00:00' });
    const { receipt, given } = follow(dated(20, 0), dated(22, 48), approved);
    expect(given).toMatchObject([{ kind: 'status', skip: null, changes: ['title', 'text'] }]);
    expect(receipt.touched_at).toBeNull();
  });

  it('is none where something else moves with it', () => {
    const { given, touches } = follow(
      dated(20, 0),
      later({ modified: '11-22-2026 10:00:00', form: 'I-131' }),
    );
    // A form alone says nothing that people read.
    expect(given).toEqual([{ id: 2, kind: 'details', skip: 'no_content_change', changes: [], entries: [] }]);
    expect(touches).toEqual([]);
  });

  it('reaches no case that missed it while it was paused', () => {
    const paused = watching(follow(dated(20, 0)).receipt);
    const { receipt } = follow(dated(20, 0), dated(22, 48));
    expect(missedUpdate(paused, shownOf(receipt))).toBeNull();
  });
});

describe('a history with a new entry', () => {
  const known = [['2023-09-05', 'We received your Form I-130.']] as const;
  const told = (entries: string[], changes = ['history']) => [
    { id: 2, kind: 'details', skip: null, changes, entries },
  ];

  it('is told, whatever its date: it was not known', () => {
    expect(follow(first(), later({ history: [['2023-09-05', approval]] })).given).toEqual(told([approval]));
    const next = later({ history: [...known, ['2024-02-12', approval]] });
    expect(follow(first({ history: [...known] }), next).given).toEqual(told([approval]));
    const ofTheDay = later({ history: [...known, ['2023-09-05', approval]] });
    expect(follow(first({ history: [...known] }), ofTheDay).given).toEqual(told([approval]));
  });

  it('is told though USCIS touched the case after its date', () => {
    const touch = (day: number, hours: number) => first({ hours, modified: `11-${day}-2026 10:00:00` });
    const next = later({ hours: 200, modified: '11-28-2026 10:00:00', history: [['2026-11-23', approval]] });
    const { given } = follow(touch(20, 0), touch(24, 96), touch(27, 168), next);
    expect(given).toEqual(told([approval]));
  });

  it('names several, and what else changed', () => {
    const history = [...known, ['2024-02-12', approval], ['2024-02-13', 'We sent it.']] as const;
    const next = later({ history: [...history], words: 'Other words.', submitted: '09-06-2023 00:00:00' });
    expect(follow(first({ history: [...known] }), next).given).toEqual(
      told([approval, 'We sent it.'], ['text', 'history', 'date']),
    );
    const approved = seen('Case Was Approved', { hours: 48, history: [...history] });
    expect(follow(first({ history: [...known] }), approved).given).toMatchObject([
      { kind: 'status', changes: ['title', 'text', 'history'], entries: [approval, 'We sent it.'] },
    ]);
  });

  it.each([
    ['late, behind a known one of a later day', [...known, ['2023-09-01', approval]]],
    ['a repetition of the state that was shown', [...known, ['2026-11-21', 'Case was received']]],
    ['fewer entries', []],
    ['the same with another date in Spanish', [['2023-09-05', 'We received your Form I-130.', 'Recibimos.']]],
  ] as const)('is told to nobody where it is %s', (_name, history) => {
    const { given } = follow(first({ history: [...known] }), later({ history: [...history] }));
    expect(given.filter(({ skip }) => skip === null)).toEqual([]);
    expect(given.flatMap(({ entries }) => entries)).toEqual([]);
  });

  it('is told once, also where it vanishes and comes back', () => {
    const both = [...known, ['2024-02-12', approval]] as const;
    const blink = (hours: number, history: readonly (readonly [string, string])[]) =>
      first({ hours, history: [...history] });
    const { given } = follow(
      blink(0, known),
      blink(48, both),
      blink(50, known),
      blink(52, both),
      blink(54, []),
      blink(56, both),
    );
    expect(given.filter(({ skip }) => skip === null)).toMatchObject([{ entries: [approval] }]);
    expect(given.map(({ changes }) => changes)).toEqual(Array.from({ length: 5 }, () => ['history']));
  });

  it('is told to a case that missed it while it was paused', () => {
    const paused = watching(follow(first({ history: [...known] })).receipt);
    const { receipt } = follow(
      first({ history: [...known] }),
      later({ history: [...known, ['2024-02-12', approval]] }),
    );
    expect(missedUpdate(paused, shownOf(receipt))).toMatchObject({
      kind: 'details',
      skip_reason: null,
      changes: ['history'],
      new_history: [{ date: '2024-02-12', status_code: approval }],
    });
  });
});

describe('changes', () => {
  it('are empty for a baseline and a translation', () => {
    const spanish = later({ es: { title: 'Caso Fue Recibido', text: 'Lo recibimos.' } });
    expect(follow(first(), spanish).given).toEqual([
      { id: 2, kind: 'translation', skip: 'no_content_change', changes: [], entries: [] },
    ]);
  });

  it('name the date of submission, of which nobody is told', () => {
    const moved = later({ submitted: '09-06-2023 00:00:00' });
    expect(follow(first({ submitted: '09-05-2023 00:00:00' }), moved).given).toEqual([
      { id: 2, kind: 'details', skip: 'no_content_change', changes: ['date'], entries: [] },
    ]);
  });

  it('name the title where only an alias of it is shown, of which nobody is told', () => {
    const scheduled = seen('Interview Was Scheduled', { words });
    const { receipt } = follow(scheduled);
    expect(receipt.facts?.status_slug).not.toBe('unknown');
    const alias = seen('Interview Scheduled', { words, hours: 48 });
    const { given } = follow(scheduled, alias);
    expect(given).toMatchObject([{ changes: ['title'] }]);
  });

  it('are those since the last update of the case, also of one that was not told', () => {
    const link = later({ words: `${words} See www.uscis.gov/a.` });
    const next = later({ words: `${words} See www.uscis.gov/a. Hurry.`, hours: 60 });
    expect(follow(first(), link, next).given).toMatchObject([
      { skip: 'no_content_change', changes: ['text'] },
      { skip: null, changes: ['text'] },
    ]);
  });
});

describe('a state that comes back within a day', () => {
  const approved = (hours: number) => seen('Case Was Approved', { hours });

  it('stands once: what was stored when it was seen is told when it is confirmed', () => {
    const { given, receipt, watch } = follow(
      first(),
      approved(48),
      first({ hours: 50 }),
      first({ hours: 51 }),
    );
    expect(given).toEqual([
      { id: 2, kind: 'status', skip: null, changes: ['title', 'text'], entries: [] },
      { id: 3, kind: 'flap', skip: 'flap', changes: ['title', 'text'], entries: [] },
      { id: 3, kind: 'flap', skip: null, changes: ['title', 'text'], entries: [] },
    ]);
    expect(receipt.returned_at).toBeNull();
    expect(watch).toMatchObject({ last_update: { id: 3, observation: 3 }, untold: null });
    // No further check tells it again.
    expect(
      follow(first(), approved(48), first({ hours: 50 }), first({ hours: 51 }), first({ hours: 60 })).given,
    ).toEqual(given);
  });

  it('is told once though the date, the Spanish or late history moved meanwhile', () => {
    const es = { title: 'Caso Fue Recibido', text: 'Lo recibimos.' };
    const { given, touches } = follow(
      first({ modified: '11-20-2026 10:00:00', history: ['2023-09-05'] }),
      approved(48),
      first({ hours: 50, modified: '11-20-2026 10:00:00', history: ['2023-09-05'] }),
      first({ hours: 50.2, modified: '11-23-2026 13:00:00', history: ['2023-09-05'] }),
      first({ hours: 50.4, modified: '11-23-2026 13:00:00', history: ['2023-09-05'], es }),
      first({ hours: 50.6, modified: '11-23-2026 13:00:00', es }),
      first({ hours: 51, modified: '11-23-2026 13:00:00', es }),
    );
    expect(given.filter(({ skip }) => skip === null).map(({ id }) => id)).toEqual([2, 3]);
    expect(touches).toEqual([{ id: 3, at: '2026-11-23T13:00:00.000Z' }]);
  });

  it('is told with what its confirmation adds to the history', () => {
    const confirming = first({ hours: 51, history: [['2023-09-05', approval]] });
    const { given } = follow(first(), approved(48), first({ hours: 50 }), confirming);
    expect(given.at(-1)).toEqual({
      id: 4,
      kind: 'flap',
      skip: null,
      changes: ['history'],
      entries: [approval],
    });
  });

  it('of a case that knows it is no news', () => {
    const { given } = follow(first(), approved(1), first({ hours: 2 }), approved(2.5), approved(3.5));
    expect(given.map(({ id, skip }) => [id, skip])).toEqual([
      [2, null],
      [3, 'flap'],
      [4, 'flap'],
    ]);
  });
});
