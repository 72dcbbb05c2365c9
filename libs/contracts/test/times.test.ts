import { describe, expect, it } from '@jest/globals';
import { timeText } from '../src/operations/common.ts';
import { asSpoken } from '../src/times.ts';

describe('a time in a query', () => {
  it.each([
    '2026-01-31T09:30:00Z',
    '2026-01-31t09:30:00z',
    '2026-01-31T10:30:00+01:00',
    '2026-01-31t10:30:00.000+01:00',
    '2026-01-31t04:30:00-05:00',
  ])('may be %s', (text) => {
    expect(timeText.parse(text).toISOString()).toBe('2026-01-31T09:30:00.000Z');
  });

  it.each(['2026-01-31T10:30:00 01:00', '2026-01-31t10:30:00.123 01:00', '2026-01-31T10:30:00 0100'])(
    'with a plus sign that was not encoded says how to encode it: %s',
    (text) => {
      expect(timeText.safeParse(text).error?.issues[0]?.message).toContain('encode the plus sign as %2B');
    },
  );

  it.each([
    '2026-01-31',
    '2026-01-31 09:30:00',
    '2026-01-31T09:30:00',
    'now',
    '',
    '2026-13-31T09:30:00Z',
    ' ',
  ])('is refused without that hint: %j', (text) => {
    const message = timeText.safeParse(text).error?.issues[0]?.message;
    expect(message).toContain('must be a time of ISO 8601');
  });
});

describe('a date in words', () => {
  const locales = { en: 'en-US', es: 'es-US', pt: 'pt-BR' };
  const inWords = (language: 'en' | 'es' | 'pt', time: string, hourCycle?: 'h23') =>
    asSpoken(
      new Intl.DateTimeFormat(locales[language], {
        dateStyle: 'long',
        timeStyle: 'short',
        timeZone: 'UTC',
        ...(hourCycle && { hourCycle }),
      }).format(new Date(time)),
      language,
    ).replaceAll(/\s/g, ' ');

  it.each([
    ['pt', '2027-01-01T01:04:00Z', '1º de janeiro de 2027 à 01:04'],
    ['pt', '2027-02-01T13:04:00Z', '1º de fevereiro de 2027 às 13:04'],
    ['es', '2027-01-01T01:04:00Z', '1 de enero de 2027 a la 1:04 a.m.'],
    ['es', '2027-03-02T13:59:00Z', '2 de marzo de 2027 a la 1:59 p.m.'],
  ] as const)('says in %s the first day and one o’clock of %s', (language, time, words) => {
    expect(inWords(language, time)).toBe(words);
  });

  it.each([
    ['pt', '2027-01-11T11:04:00Z', '11 de janeiro de 2027 às 11:04'],
    ['pt', '2027-01-21T10:01:00Z', '21 de janeiro de 2027 às 10:01'],
    ['pt', '2027-01-31T00:01:00Z', '31 de janeiro de 2027 às 00:01'],
    ['es', '2027-01-11T11:01:00Z', '11 de enero de 2027 a las 11:01 a.m.'],
    ['es', '2027-01-21T22:01:00Z', '21 de enero de 2027 a las 10:01 p.m.'],
    ['en', '2027-01-01T01:04:00Z', 'January 1, 2027 at 1:04 AM'],
  ] as const)('leaves in %s the others as they are: %s', (language, time, words) => {
    expect(inWords(language, time)).toBe(words);
  });

  it('says one o’clock of a day of 24 hours too', () => {
    expect(inWords('es', '2027-01-01T01:04:00Z', 'h23')).toBe('1 de enero de 2027 a la 01:04');
    expect(inWords('es', '2027-01-01T13:04:00Z', 'h23')).toBe('1 de enero de 2027 a las 13:04');
  });
});
