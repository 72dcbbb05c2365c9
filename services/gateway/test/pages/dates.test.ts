import { language } from '@casewatch/contracts';
import { expect, it } from '@jest/globals';
import { dayInWords, easternZone, momentInWords, sentence } from '../../src/pages/people/dates.ts';
import { caseTexts } from '../../src/pages/people/texts/case-texts.ts';

it.each(language.options)('a sentence about a time ends with one full stop, in %s', (choice) => {
  for (const zone of [easternZone, 'UTC']) {
    const when = momentInWords('2026-11-23T19:35:00.000Z', choice, zone);
    const { html } = sentence(caseTexts[choice].seen(when));
    expect(html.replaceAll(/<[^>]+>/g, '')).toMatch(/[^.]\.$/);
  }
});

it.each([
  ['pt', '1º de janeiro de 2027 à 1:04'],
  ['es', '1 de enero de 2027 a la 1:04 a.m.'],
  ['en', 'January 1, 2027 at 1:04 AM'],
] as const)('a page says the first day and one o’clock as people do, in %s', (choice, words) => {
  const { html } = momentInWords('2027-01-01T01:04:00.000Z', choice, 'UTC');
  expect(html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s/g, ' ')).toBe(words);
  const day = dayInWords('2027-01-01T12:00:00.000Z', choice, 'UTC');
  expect(words.startsWith(day.html.replaceAll(/<[^>]+>/g, ''))).toBe(true);
});
