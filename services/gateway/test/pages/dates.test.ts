import { language } from '@casewatch/contracts';
import { expect, it } from '@jest/globals';
import { dayInWords, easternZone, momentInWords, sentence } from '../../src/pages/people/dates.ts';
import { caseTexts } from '../../src/pages/people/texts/case-texts.ts';
import { createTimes, startOfDay } from '../../src/pages/parts/time.ts';

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

it.each([
  ['America/Santiago', '2027-09-05', '2027-09-05T04:00:00.000Z'],
  ['America/Havana', '2027-03-14', '2027-03-14T05:00:00.000Z'],
  ['Africa/Cairo', '2027-04-30', '2027-04-29T22:00:00.000Z'],
  ['America/Chicago', '2027-03-14', '2027-03-14T06:00:00.000Z'],
  ['America/Chicago', '2027-11-07', '2027-11-07T05:00:00.000Z'],
  ['Asia/Kolkata', '2028-02-29', '2028-02-28T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2027-01-01', '2026-12-31T10:00:00.000Z'],
  ['UTC', '2027-01-01', '2027-01-01T00:00:00.000Z'],
])('a day begins when the clocks say so, also where they change at midnight: %s %s', (zone, day, start) => {
  expect(startOfDay(day, zone).toISOString()).toBe(start);
  const times = createTimes({ now: new Date(), zone, language: 'sv' });
  expect(times.day(start).html).toContain(new Date(day).toLocaleDateString('sv', { dateStyle: 'medium' }));
});

it.each(['0000-01-01', '0002-06-30', '0099-12-31', '0999-12-31', '1799-12-31', '9999-12-31'])(
  'a year that is still being typed is a time, too: %s',
  (day) => {
    for (const zone of ['UTC', 'America/Chicago', 'Pacific/Kiritimati']) {
      const apartMs = Math.abs(startOfDay(day, zone).getTime() - Date.parse(`${day}T00:00:00Z`));
      expect(apartMs).toBeLessThan(16 * 3_600_000);
    }
  },
);
