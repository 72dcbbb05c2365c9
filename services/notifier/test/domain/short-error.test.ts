import { describe, expect, it } from '@jest/globals';
import { shortError } from '../../src/domain/short-error.ts';

const MEGABYTE = 1_000_000;

describe('the short error', () => {
  it('takes addresses, links and numbers out', () => {
    const said = '5.1.1 <ana@example.com> unknown, call +1 (202) 555-0123 or https://x.example/?token=abc';
    expect(shortError('smtp_550', said)).toBe('smtp_550: 5.1.1 [address] unknown, call [number] or [link]');
  });

  // Each of them made an expression try every start against every end: some ten seconds of one core for 64 KB.
  it.each([
    ['a word without an @', 'a'],
    ['angle brackets', '<'],
    ['digits', '1'],
    ['halves of a number', '1 ('],
    ['schemes', 'http://'],
  ])('reads only the beginning of a megabyte: %s', (_what, unit) => {
    const words = 'Mailbox unavailable. ';
    const long = words + unit.repeat(MEGABYTE / unit.length);
    const before = process.cpuUsage();
    expect(shortError('smtp_550', long)).toMatch(/^smtp_550: Mailbox unavailable\./);
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(5); // seconds of computing, not of waiting: it takes milliseconds
  });

  it('leaves out what the cut has broken: half an address looks like a name', () => {
    const links = 'https://x.example/a '.repeat(200);
    expect(shortError('smtp_550', `${links}mallory@attacker.example`)).not.toContain('mallory');
    for (let spare = 960; spare < 1_000; spare++) {
      const text = `Refused ${'1'.repeat(spare - 8)} mallory@attacker.example`;
      expect(shortError('smtp_550', text)).toMatch(/^smtp_550: Refused \[number\]( \[address\])?$/);
    }
  });
});
