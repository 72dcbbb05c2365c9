import { describe, expect, it } from '@jest/globals';
import { classifySmtp, type SmtpFailure } from '../../src/domain/classify-smtp.ts';
import type { Outcome } from '../../src/domain/outcome.ts';

const message = 'what nodemailer says';

/** What nodemailer 10.6 was seen to report, and what follows. */
const rows: [string, Partial<SmtpFailure>, Outcome['kind'], string][] = [
  [
    'an unknown mailbox',
    { code: 'EENVELOPE', responseCode: 550, response: '550 5.1.1 <a@b.example> unknown', command: 'RCPT TO' },
    'permanent',
    'smtp_550: 5.1.1 the mailbox does not exist',
  ],
  [
    'greylisting',
    { code: 'EENVELOPE', responseCode: 451, response: '451 Greylisted', command: 'RCPT TO' },
    'transient',
    'smtp_451: greylisted',
  ],
  [
    'no space after DATA',
    { code: 'EMESSAGE', responseCode: 452, response: '452 4.3.1 full', command: 'DATA' },
    'transient',
    'smtp_452: 4.3.1 the mail system of the recipient cannot take the mail',
  ],
  [
    'a full mailbox',
    { code: 'EENVELOPE', responseCode: 552, response: '552 5.2.2 over quota', command: 'RCPT TO' },
    'transient',
    'smtp_552: 5.2.2 the mailbox is full',
  ],
  [
    'content refused',
    { code: 'EMESSAGE', responseCode: 554, response: '554 5.7.1 spam', command: 'DATA' },
    'permanent',
    'smtp_554: 5.7.1 refused by a policy',
  ],
  [
    'a bad sequence',
    { code: 'EMESSAGE', responseCode: 503, response: '503 out of order', command: 'DATA' },
    'transient',
    'smtp_503: the mail was refused',
  ],
  [
    'wrong credentials',
    { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 no', command: 'AUTH PLAIN' },
    'configuration',
    'smtp_535: 5.7.8 the mail server refused the sign-in',
  ],
  [
    'credentials that cannot be checked now',
    { code: 'EAUTH', responseCode: 454, response: '454 later', command: 'AUTH PLAIN' },
    'transient',
    'smtp_454: not accepted at the moment',
  ],
  [
    'missing credentials',
    { code: 'EENVELOPE', responseCode: 530, response: '530 sign in', command: 'MAIL FROM' },
    'configuration',
    'smtp_530: the mail was refused',
  ],
  [
    'a server that does not want us',
    { code: 'EPROTOCOL', responseCode: 554, response: '554 go away', command: 'CONN' },
    'configuration',
    'smtp_554: the mail was refused',
  ],
  [
    'a server that is closing',
    { code: 'EPROTOCOL', responseCode: 421, response: '421 closing', command: 'CONN' },
    'transient',
    'smtp_421: not accepted at the moment',
  ],
  [
    'no credentials of ours',
    { code: 'ENOAUTH' },
    'configuration',
    'smtp_enoauth: the mail server refused the sign-in',
  ],
  ['TLS that fails', { code: 'ETLS' }, 'configuration', 'smtp_etls: no secure connection to the mail server'],
  [
    'a certificate of an unknown authority',
    { code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT', command: 'CONN' },
    'configuration',
    'smtp_depth_zero_self_signed_cert: no secure connection to the mail server',
  ],
  [
    'a server without TLS',
    { code: 'ESOCKET', originalCode: 'ERR_SSL_WRONG_VERSION_NUMBER', command: 'CONN' },
    'configuration',
    'smtp_err_ssl_wrong_version_number: no secure connection to the mail server',
  ],
  [
    'a refused connection',
    { code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' },
    'transient',
    'smtp_econnrefused: the mail server cannot be reached',
  ],
  [
    'a name that does not resolve',
    { code: 'EDNS', originalCode: 'ENOTFOUND', command: 'CONN' },
    'transient',
    'smtp_enotfound: the mail server cannot be reached',
  ],
  [
    'no greeting',
    { code: 'ETIMEDOUT', command: 'CONN', message: 'Greeting never received' },
    'transient',
    'smtp_etimedout: the mail server cannot be reached',
  ],
  [
    'no connection in time',
    { code: 'ETIMEDOUT', command: 'CONN', message: 'Connection timeout' },
    'transient',
    'smtp_etimedout: the mail server cannot be reached',
  ],
  [
    'a recipient that is none',
    { code: 'EENVELOPE', command: 'API' },
    'permanent',
    'smtp_eenvelope: the mail is malformed',
  ],
  [
    'silence after DATA',
    { code: 'ETIMEDOUT', command: 'CONN', message: 'Timeout' },
    'ambiguous',
    'smtp_etimedout: the mail server did not answer in time',
  ],
  [
    'our own time-out',
    { code: 'EABORT' },
    'ambiguous',
    'smtp_eabort: the mail server did not answer in time',
  ],
  [
    'a connection closed after the final dot',
    { code: 'ECONNECTION', command: 'CONN' },
    'ambiguous',
    'smtp_econnection: the connection to the mail server broke',
  ],
  [
    'a reset connection',
    { code: 'ESOCKET', originalCode: 'ECONNRESET' },
    'ambiguous',
    'smtp_econnreset: the connection to the mail server broke',
  ],
  [
    'a connection that breaks before the end of the mail',
    { code: 'ESOCKET', originalCode: 'ECONNRESET', progress: 'content' },
    'transient',
    'smtp_econnreset: the connection to the mail server broke',
  ],
  [
    'no answer before the end of the mail',
    { code: 'EABORT', progress: 'content' },
    'transient',
    'smtp_eabort: the mail server did not answer in time',
  ],
  [
    'other mails that take all the time',
    { code: 'EABORT', progress: 'waiting' },
    'transient',
    'smtp_turn: the mails before this one took too long',
  ],
  ['something unheard of', {}, 'ambiguous', 'smtp_error: the connection to the mail server broke'],
];

describe('the outcome of a failed mail', () => {
  it.each(rows)('%s', (_what, failure, kind, error) => {
    expect(classifySmtp({ message, progress: 'ended', ...failure })).toMatchObject({ kind, error });
  });

  it('is no attempt if the mail waited for others until its time was over', () => {
    const outcome = classifySmtp({ message, code: 'EABORT', progress: 'waiting' });
    expect(outcome).toMatchObject({ kind: 'transient', counts: false });
  });
});
