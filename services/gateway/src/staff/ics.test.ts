import { describe, expect, it } from '@jest/globals';
import { calendarOf } from './ics.ts';

const entry = {
  user_case_id: 'FLOW0001042',
  reference: null as string | null,
  date: '2027-01-04',
  version: 3,
  changed_at: '2026-12-01T09:30:15.120Z',
};
const url = 'https://cases.example';

/** Reads a calendar as strictly as RFC 5545 writes it: lines of at most 75 bytes that end with CR LF, folded and escaped. */
function read(calendar: string): Map<string, string>[] {
  expect(calendar.endsWith('\r\n')).toBe(true);
  const physical = calendar.slice(0, -2).split('\r\n');
  for (const line of physical) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n]|�/);
    // A character is never cut: each line alone is whole UTF-8.
    expect(Buffer.from(line).toString()).toBe(line);
  }
  const lines = physical.join('\r\n').replaceAll('\r\n ', '').split('\r\n');
  expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
  const entries: Map<string, string>[] = [];
  let open: Map<string, string> | null = null;
  for (const line of lines.slice(1, -1)) {
    const parts = /^([A-Z-]+)((?:;[A-Z]+=[A-Z]+)*):(.*)$/s.exec(line);
    expect([line, parts !== null]).toEqual([line, true]);
    const [, name = '', parameters = '', value = ''] = parts ?? [];
    if (line === 'BEGIN:VEVENT') {
      expect(open).toBeNull();
      open = new Map();
    } else if (line === 'END:VEVENT') {
      if (open) entries.push(open);
      open = null;
    } else if (open) {
      expect(open.has(name)).toBe(false);
      open.set(`${name}${parameters}`, value);
    }
  }
  expect(open).toBeNull();
  return entries;
}

/** The text of a value; a comma, a semicolon or a backslash never stands unescaped. */
function textOf(value = ''): string {
  expect(value.replaceAll(/\\[\\;,n]/g, '')).not.toMatch(/[\\;,]/);
  return value.replaceAll(/\\([\\;,n])/g, (_, character) => (character === 'n' ? '\n' : character));
}

describe('a calendar', () => {
  it('has an all-day entry for each answer, with a stable id and a link', () => {
    const [only, ...others] = read(calendarOf([entry], url));
    expect(others).toEqual([]);
    expect(Object.fromEntries(only ?? [])).toEqual({
      UID: 'FLOW0001042.answer@cases.example',
      DTSTAMP: '20261201T093015Z',
      SEQUENCE: '3',
      'DTSTART;VALUE=DATE': '20270104',
      'DTEND;VALUE=DATE': '20270105',
      SUMMARY: 'Answer due · FLOW0001042',
      URL: 'https://cases.example/console/cases/FLOW0001042',
      TRANSP: 'TRANSPARENT',
    });
  });

  it.each([
    ['2026-12-31', '20270101'],
    ['2027-02-28', '20270301'],
    ['2028-02-28', '20280229'],
    ['2028-02-29', '20280301'],
  ])('ends an entry of %s on %s', (date, end) => {
    expect(read(calendarOf([{ ...entry, date }], url))[0]?.get('DTEND;VALUE=DATE')).toBe(end);
  });

  it.each([
    'Silva; Ana, 2024\\118',
    `${'Straße '.repeat(9)}1`,
    '案件'.repeat(32),
    '👩🏽‍⚖️'.repeat(9),
    'x'.repeat(64),
    'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\nb\rc',
    '2024-118:é',
  ])('keeps the words of the firm whole: %j', (reference) => {
    const [only] = read(calendarOf([{ ...entry, reference }], url));
    expect(textOf(only?.get('SUMMARY'))).toBe(`Answer due · ${reference.replaceAll(/\r\n|\r/g, '\n')}`);
  });

  it('is a calendar also without an entry', () => {
    expect(read(calendarOf([], url))).toEqual([]);
  });
});
