import { describe, expect, it } from '@jest/globals';
import { entriesNewIn, isNoChange, timeOfEntry } from '../../src/pages/parts/history.ts';

const entry = (date: string, status_code = 'We sent it.') => ({
  date,
  status_code,
  status_code_es: null,
  status_code_pt: null,
});
const update = (changes: 'history'[], dates: string[]) => ({
  changes,
  history: dates.map((date) => entry(date)),
});

describe('the entries that came with an update', () => {
  const [old, added] = ['2023-09-05', '2024-02-12'];

  it('are those of none before it', () => {
    const older = [update([], [old])];
    expect(entriesNewIn(update(['history'], [old, added]), older)).toEqual([entry(added)]);
  });

  it('are none where the history did not change, where an entry came back, and where nothing before it is shown', () => {
    expect(entriesNewIn(update([], [old, added]), [update([], [old])])).toEqual([]);
    const blinked = [update(['history'], [old]), update([], [old, added])];
    expect(entriesNewIn(update(['history'], [old, added]), blinked)).toEqual([]);
    expect(entriesNewIn(update(['history'], [old, added]), [])).toEqual([]);
  });

  it.each([
    ['2023-09-05', '2023-09-05T00:00:00.000Z'],
    ['2023-09-05 10:00', '2023-09-05T00:00:00.000Z'],
    ['2023-19-45', null],
    ['September 2023', null],
    ['', null],
  ])('have a time where their date has one: %j', (date, time) => {
    expect(timeOfEntry(entry(date))).toBe(time);
  });
});

describe('an update that changed nothing which people read', () => {
  const skipped = { email_notify_status: 'skipped', whatsapp_notify_status: 'skipped', notified: 0 } as const;
  const sent = { email_notify_status: 'sent', whatsapp_notify_status: 'skipped', notified: 1 } as const;

  it.each([
    ['details of which nothing is known', { kind: 'details', changes: [], ...skipped }, true],
    ['a translation', { kind: 'translation', changes: [], ...skipped }, true],
    [
      'details of which nothing is known, but that people were told of',
      { kind: 'details', changes: [], ...sent },
      false,
    ],
    ['a late entry of the history', { kind: 'details', changes: ['history'], ...skipped }, false],
    ['a return', { kind: 'flap', changes: [], ...skipped }, false],
    ['a baseline', { kind: 'baseline', changes: [], ...skipped }, false],
    ['a status', { kind: 'status', changes: [], ...skipped }, false],
  ] as const)('is %s: %j %j', (_name, { changes, ...row }, is) => {
    expect(isNoChange({ ...row, changes: [...changes] })).toBe(is);
  });
});
