import { describe, expect, it } from '@jest/globals';
import { caseLink } from '../../src/domain/case-link.ts';
import { maskReceipts } from '../../src/domain/mask-receipt.ts';
import {
  accountMessageId,
  memberMessageId,
  readMemberMessageId,
  statusMessageId,
} from '../../src/domain/message-id.ts';
import { shortError } from '../../src/domain/short-error.ts';

describe('a short error', () => {
  it.each([
    ['451 4.7.1 <ana@example.org>: greylisted', 'x: 451 4.7.1 [address]: greylisted'],
    ['to ana@example.org failed', 'x: to [address] failed'],
    ['call +1 (202) 555-0123 now', 'x: call [number] now'],
    ['see https://host.example/?token=abc', 'x: see [link]'],
    ['call 202.555.0123 now', 'x: call [number] now'],
    ['code 042137\r\nBcc', 'x: code [number] Bcc'],
    ['', 'x: no reason given'],
  ])('says nobody’s address, number, link or code: %j', (text, error) => {
    expect(shortError('x', text)).toBe(error);
  });

  it('has at most 300 characters', () => {
    expect(shortError('x', 'word '.repeat(100))).toHaveLength(300);
  });
});

describe('a receipt number in a text', () => {
  it.each(['EAC9999106789', 'eac9999106789', 'EAC-99-991-06789', 'EAC 99 991 06789'])(
    'is masked: %s',
    (receipt) => {
      expect(maskReceipts(`Number ${receipt}, please.`)).toBe('Number …6789, please.');
    },
  );

  it('is told from other words', () => {
    expect(maskReceipts('Form I-765 of November 20, 2026')).toBe('Form I-765 of November 20, 2026');
  });
});

describe('where a mail leads', () => {
  const own = 'https://c.example/cases/FLOW0000012?language=pt';

  it.each([
    [
      { case_url: 'https://p.example/c/{user_case_id}?from=mail' },
      'https://p.example/c/FLOW0000012?from=mail',
    ],
    [{ case_url: null }, own],
    [{ case_url: 'javascript:alert(1)' }, own],
    [null, 'https://app.example'],
  ])('is where the partner %j says, else our page', (partner, link) => {
    const parts = {
      appUrl: 'https://app.example',
      publicUrl: 'https://c.example',
      userCaseId: 'FLOW0000012',
      language: 'pt' as const,
    };
    expect(caseLink({ ...parts, partner })).toBe(link);
  });

  it('is our page for a direct user without an app, in the language of the mail', () => {
    const parts = { partner: null, appUrl: null, publicUrl: 'https://c.example', userCaseId: 'FLOW0000012' };
    expect(caseLink({ ...parts, language: 'pt' })).toBe(own);
  });
});

describe('a Message-ID', () => {
  it('is the same each time, in the domain of the sender', () => {
    expect(statusMessageId(12, 'Casewatch <no-reply@mail.example>')).toBe('<12.email@mail.example>');
    const id = accountMessageId('any thing <at> all', 'login_code', 'no-reply@mail.example');
    expect(id).toMatch(/^<[0-9a-f]{32}\.login_code@mail\.example>$/);
    expect(accountMessageId('any thing <at> all', 'login_code', 'no-reply@mail.example')).toBe(id);
    const alerts = memberMessageId('a'.repeat(32), 'no-reply@mail.example');
    expect(readMemberMessageId(alerts, 'no-reply@mail.example')).toBe('a'.repeat(32));
    const overview = memberMessageId('staff:5:digest:2026-11-30', 'no-reply@mail.example');
    expect(overview).toMatch(/^<[\w.]+@mail\.example>$/);
    expect(memberMessageId('staff:5:digest:2026-12-01', 'no-reply@mail.example')).not.toBe(overview);
  });
});
