import { inspect } from 'node:util';
import { type Sandbox, startSandbox } from '@casewatch/sandbox';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMailer, type Mailer } from '../../src/clients/smtp.ts';
import { createTurns } from '../../src/clients/turns.ts';
import { createWhatsapp, type Whatsapp } from '../../src/clients/twilio.ts';

const word = 'Zacarias Quillfeather';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox.stop());

async function tell(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

/** Everything that a log line could have of the error. */
async function loggedOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return inspect(error, { depth: 10, showHidden: true });
}

describe('an error of Twilio has none of its words', () => {
  let whatsapp: Whatsapp;
  beforeAll(() => {
    whatsapp = createWhatsapp({
      accountSid: sandbox.twilio_account_sid,
      authToken: sandbox.twilio_auth_token,
      from: 'whatsapp:+12025550100',
      contentSids: { status_update: {}, status_digest: {}, first_update: {} },
      apiBaseUrl: sandbox.twilio_url,
      timeoutMs: 10_000,
    });
  });

  const questions: [what: string, ask: () => Promise<unknown>][] = [
    ['messages to a number', () => whatsapp.find('+12025550199', new Date(0))],
    ['one message', () => whatsapp.fetch(`SM${'0'.repeat(32)}`)],
    ['a template', () => whatsapp.fetchContent(`HX${'0'.repeat(32)}`)],
  ];
  const refusals: [what: string, fault: object, said: string][] = [
    ['its code', { status: 400, code: 21211 }, 'twilio_21211: the number is not valid'],
    ['an unknown code', { status: 400, code: 29999 }, 'twilio_29999: not accepted'],
    ['a refused sign-in', { status: 401 }, 'twilio_20003: the credentials are not valid'],
    ['a failure', { status: 503 }, 'twilio_'],
  ];

  it.each(questions.flatMap(([what, ask]) => refusals.map((refusal) => [what, ...refusal, ask] as const)))(
    'where we ask for %s and get %s',
    async (_what, _how, fault, said, ask) => {
      const reading = { mode: 'status', reading: true, message: `no way to ${word}` };
      await tell(`${sandbox.twilio_url}/sandbox/faults`, { ...reading, ...fault });
      const logged = await loggedOf(ask());
      expect(logged).toContain(said);
      expect(logged).not.toMatch(/Zacarias|Quillfeather|no way to/);
      await tell(`${sandbox.twilio_url}/sandbox/faults`, { mode: 'none' });
    },
  );

  it('where it does not know the message: that is no error', async () => {
    expect(await whatsapp.fetch(`SM${'0'.repeat(32)}`)).toBeNull();
  });
});

describe('an error of the mail server at the start has none of its words', () => {
  function mailerTo(url: string): Mailer {
    const turns = createTurns({ count: 1, onLate: () => {} });
    const options = { from: 'Casewatch <a@b.example>', sendTimeoutMs: 10_000, connections: 1 };
    return createMailer({ url, ...options, dkim: null, turns, isUrgent: false });
  }

  it.each([
    ['greeting', 554, '5.3.2', 'smtp_554: 5.3.2 '],
    ['greeting', 421, '4.3.2', 'smtp_421: 4.3.2 '],
    ['auth', 535, '5.7.8', 'smtp_535: 5.7.8 the mail server refused the sign-in'],
    ['auth', 454, '4.7.0', 'smtp_454: 4.7.0 '],
  ])('at %s with %d', async (at, code, status, said) => {
    await tell(`${sandbox.mail_url}/sandbox/faults`, {
      ...{ mode: 'reject', at, code },
      reply: `${status} closed by ${word}`,
    });
    const mailer = mailerTo(sandbox.smtp_url.replace('://', '://sandbox:sandbox-password@'));
    const logged = await loggedOf(mailer.verify());
    mailer.close();
    expect(logged).toContain(said);
    expect(logged).not.toMatch(/Zacarias|Quillfeather|closed by/);
    await tell(`${sandbox.mail_url}/sandbox/faults`, { mode: 'none' });
  });

  it('says which server refused the connection', async () => {
    const mailer = mailerTo('smtp://127.0.0.1:1');
    expect(await loggedOf(mailer.verify())).toContain('ECONNREFUSED');
    mailer.close();
  });
});
