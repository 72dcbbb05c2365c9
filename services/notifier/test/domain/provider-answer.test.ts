import { describe, expect, it } from '@jest/globals';
import { classifySmtp } from '../../src/domain/classify-smtp.ts';
import { isHardBounce, mailFailure, statusIn } from '../../src/domain/provider-answer.ts';

/** What servers answer to RCPT TO; the first word is the reply code. */
const dead = [
  '550 5.1.1 <a@b.example>: Recipient address rejected: User unknown',
  '550 5.1.1 mailbox full of nobody',
  '550-5.1.1 The email account that you tried to reach does not exist.',
  '550 5.1.2 bad destination system',
  '553 5.1.3 bad address syntax',
  '551 5.1.6 moved',
  '556 5.1.10 null MX',
  '550 5.2.1 The email account that you tried to reach is disabled.',
  '550 5.4.4 Invalid domain: host not found',
  '550 5.0.0 unknown recipient',
  '554 5.0.0 <a@b.example>... User unknown',
  '550 5.1.0 Address rejected: no such user here',
  '550 5.5.0 Requested action not taken: mailbox unavailable',
  '550 Requested action not taken: mailbox unavailable',
  '550 No such user here',
  '550 Unrouteable address',
  '550 User unknown in relay recipient table',
  '550 rejected',
  '550 ',
  '554 delivery error: this account does not exist',
  '553 invalid recipient',
];

const alive = [
  '450 4.2.1 mailbox busy',
  '451 4.7.1 greylisted',
  '452 4.2.2 mailbox full',
  '450 4.1.1 user unknown',
  '450 no such user',
  '552 5.2.2 mailbox full',
  '552 mailbox full',
  '550 mailbox full, quota exceeded',
  '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents more',
  '552 5.2.3 message too long',
  '554 5.3.4 too big',
  '554 5.4.6 routing loop',
  '554 5.6.0 content refused',
  '550 5.7.1 Recipient address rejected: unknown user policy',
  '554 5.7.26 DMARC',
  '550 5.1.8 sender address rejected: domain of sender does not exist',
  '550 5.0.0 rejected',
  '550 5.1.0 sender rejected: unknown user',
  '550 Message blocked as spam',
  '550 Relaying denied',
  '550 Administrative prohibition',
  '550 your IP is listed at rbl.example',
  '554 transaction failed',
  '421 closing',
];

function answer(line: string) {
  return { code: Number(line.slice(0, 3)), text: line, isAboutRecipient: true };
}

describe('an address is dead after', () => {
  it.each(dead)('%s', (line) => {
    expect(isHardBounce(answer(line))).toBe(true);
    const failure = { code: 'EENVELOPE', command: 'RCPT TO', message: line, progress: 'content' } as const;
    expect(
      classifySmtp({ ...failure, responseCode: Number(line.slice(0, 3)), response: line }),
    ).toMatchObject({
      kind: 'permanent',
      suppresses: { reason: 'hard_bounce', days: null },
    });
  });
});

describe('an address goes on after', () => {
  it.each(alive)('%s', (line) => {
    expect(isHardBounce(answer(line))).toBe(false);
    const failure = { code: 'EENVELOPE', command: 'RCPT TO', message: line, progress: 'content' } as const;
    const outcome = classifySmtp({ ...failure, responseCode: Number(line.slice(0, 3)), response: line });
    expect(outcome).not.toHaveProperty('suppresses');
  });

  it('550 without a status about the content or the sender', () => {
    const line = '550 rejected';
    const failure = { message: line, response: line, responseCode: 550, progress: 'ended' } as const;
    expect(classifySmtp({ ...failure, command: 'DATA' })).toEqual({
      kind: 'permanent',
      error: 'smtp_550: the mail was refused',
      said: 'smtp_550: rejected',
    });
    expect(classifySmtp({ ...failure, command: 'MAIL FROM' }).kind).toBe('configuration');
  });
});

describe('what a server says', () => {
  it('is told by its code and status, in words of ours', () => {
    const text = '5.1.1 Maria Souza of Santos Law left us, write to <m@b.example>';
    const { error, said } = mailFailure('smtp_550', { code: 550, text, isAboutRecipient: true });
    expect(error).toBe('smtp_550: 5.1.1 the mailbox does not exist');
    expect(said).toBe('smtp_550: 5.1.1 Maria Souza of Santos Law left us, write to [address]');
  });

  it.each([
    ['host 5.1.1.7 refused', null],
    ['see 10.5.1.1', null],
    ['version 15.1.1', null],
    ['(#5.1.1)', '5.1.1'],
    ['status 5.7.509.', '5.7.509'],
    ['x'.repeat(100_000), null],
  ])('has the status of %j', (text, status) => {
    expect(statusIn(text)).toBe(status);
  });

  it.each(['user ', 'no ', 'mailbox does ', '5.', 'account is '])(
    'takes no time if it is a megabyte: %s',
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      const before = process.cpuUsage();
      isHardBounce({ code: 550, text, isAboutRecipient: true });
      mailFailure('smtp_550', { code: 550, text, isAboutRecipient: true });
      expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
    },
  );
});
