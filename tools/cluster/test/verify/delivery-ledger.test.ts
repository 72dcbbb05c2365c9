import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type CaseLedger, faultsIn, updatesInMail } from '../../src/verify/delivery-ledger.ts';

/**
 * Recorded from a system of `npm start` whose services were killed (SIGKILL) while cases changed, a former state coming back each time
 * from the fourth change on. `mailTookAlong`: the mail server refused for some seconds, so that one mail told two updates.
 * `mailNotRecorded` is a fault that the audit found then; confirmed.test.ts of the notifier refuses it now.
 */
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded-ledgers.json'), 'utf8'),
) as Record<'returns' | 'mailTookAlong' | 'mailNotRecorded' | 'notConfirmed', CaseLedger>;

const { returns, mailTookAlong } = recorded;
const whole: [string, CaseLedger][] = [
  ['states came back and were confirmed', returns],
  ['a mail took an older update along', mailTookAlong],
];

const placesOf = (ledger: CaseLedger) => [...new Set(faultsIn(ledger).map(({ place }) => place))];
const without = <T>(all: readonly T[], index: number) => all.filter((_, i) => i !== index);

describe.each(whole)('a recorded system in which %s', (_, ledger) => {
  it('lost nothing and doubled nothing', () => {
    expect(faultsIn(ledger)).toEqual([]);
  });

  it('lost nothing as earlier releases stored it: the return, and its confirmation', () => {
    const twice = (row: CaseLedger['updates'][number]) =>
      row.kind === 'flap'
        ? [{ ...row, id: row.id - 0.5, email_notify_status: 'skipped', email_notify_attempts: 0 }, row]
        : [row];
    const updates = ledger.updates.flatMap(twice);
    expect(updates.length).toBeGreaterThan(ledger.updates.length);
    expect(faultsIn({ ...ledger, updates })).toEqual([]);
  });

  it('may get each webhook again under its id', () => {
    expect(faultsIn({ ...ledger, calls: [...ledger.calls, ...ledger.calls] })).toEqual([]);
  });

  it('misses each update, webhook and mail that is taken away', () => {
    for (const i of ledger.updates.keys())
      expect(placesOf({ ...ledger, updates: without(ledger.updates, i) })).toContain('updates');
    for (const i of ledger.calls.keys())
      expect(placesOf({ ...ledger, calls: without(ledger.calls, i) })).toEqual(['webhooks']);
    for (const i of ledger.letters.keys())
      expect(placesOf({ ...ledger, letters: without(ledger.letters, i) })).toEqual(['mails']);
  });

  it('has too much with each update, webhook and mail that comes twice', () => {
    for (const row of ledger.updates)
      expect(placesOf({ ...ledger, updates: [...ledger.updates, { ...row, id: row.id + 0.5 }] })).toContain(
        'updates',
      );
    for (const call of ledger.calls)
      expect(placesOf({ ...ledger, calls: [...ledger.calls, { ...call, webhookId: 'another' }] })).toEqual([
        'webhooks',
      ]);
    for (const letter of ledger.letters) {
      const again = [...ledger.letters, letter, letter];
      expect(placesOf({ ...ledger, letters: again })).toEqual(['mails']);
    }
  });

  it('is not set right by a count: a lost mail and a doubled one, also of the same title', () => {
    const { letters } = ledger;
    for (const [i, lost] of letters.entries())
      for (const other of letters)
        if (other !== lost)
          expect(placesOf({ ...ledger, letters: [...without(letters, i), other] })).toEqual(['mails']);
  });

  it('is not the same in another order', () => {
    const titles = [...ledger.titles];
    [titles[1], titles[2]] = [titles[2] ?? '', titles[1] ?? ''];
    expect(placesOf({ ...ledger, titles })).toEqual(['updates']);
  });
});

describe('a fault', () => {
  it('is a mail that came, of which the case says that it was skipped', () => {
    const texts = faultsIn(recorded.mailNotRecorded).map(({ text }) => text);
    expect(texts).toEqual(['case 7: 1 mails about "Case Was Received" of 0 attempts']);
  });

  it('is a return that is stored and was not told yet', () => {
    const texts = faultsIn(recorded.notConfirmed).map(({ text }) => text);
    expect(texts).toEqual([
      'case 52: 0 webhooks about "Request for Evidence Was Sent" instead of 1',
      'case 52: no mail about "Request for Evidence Was Sent"',
    ]);
  });

  it('is a webhook about an update that is not stored, and one about the first status', () => {
    const calls = (updateId: number) => [...returns.calls, { webhookId: 'new', updateId }];
    expect(placesOf({ ...returns, calls: calls(99_999) })).toEqual(['webhooks']);
    const baseline = returns.updates.find(({ kind }) => kind === 'baseline')?.id ?? 0;
    expect(placesOf({ ...returns, calls: calls(baseline) })).toEqual(['webhooks']);
  });

  it('is an update that is stored twice and told twice, though it is a return', () => {
    const row = returns.updates.find(({ kind }) => kind === 'flap');
    if (!row) throw new Error('no return was recorded');
    const updates = [...returns.updates, { ...row, id: row.id + 0.5 }];
    expect(placesOf({ ...returns, updates })).toContain('updates');
  });
});

it('reads every update of a mail about several, and no status that was before', () => {
  const item = (id: number, before: string, now: string) =>
    `* Case with receipt number …6789 (reference FLOW${String(id).padStart(7, '0')})\nWe saw this change.\n\nWhat changed:\nBefore: ${before}\nNow: ${now}\n\nWhat this means:\nNow it waits.`;
  const text = [item(12, 'A', 'B'), item(12, 'B', 'C'), item(13, 'A', 'Now: D')].join('\n\n');
  expect(updatesInMail(text)).toEqual([
    { caseId: 12, title: 'B' },
    { caseId: 12, title: 'C' },
    { caseId: 13, title: 'Now: D' },
  ]);
});
