import { randomInt } from 'node:crypto';
import {
  approved,
  createPartner,
  hooksOf,
  newReceipt,
  type Partner,
  received,
  send,
  setAnswer,
  setReceipt,
  tell,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { everythingStored, logNoSlowCommands, type Place } from '../support/everything-stored.ts';
import { readCase } from '../support/read-case.ts';
import { type DevFile, describeOwnSystem, type System, sharedSystemOfProcesses } from '../support/system.ts';

/** What other systems say of a person: each word is said by one of them. */
const words = {
  mailServer: 'Quillfeather',
  mailServerLater: 'Wobblethorpe',
  mailServerOfCode: 'Snodgrassington',
  mailProvider: 'Featherstonehaugh',
  bounceType: 'Cholmondeley',
  twilio: 'Thistlewaite',
  endpoint: 'Bumblecrofton',
  uscis: 'Grimblehawke',
};
const patience = { timeoutMs: 90_000, intervalMs: 250 };

describeOwnSystem('words of other systems about a person', () => {
  let system: System;
  let dev: DevFile;
  let partner: Partner;
  const people: number[] = [];
  const suffix = randomInt(1_000_000);
  const hookName = `words-of-others-${suffix}`;
  const phone = `+1202556${randomInt(1_000, 9_999)}`;

  beforeAll(async () => {
    system = await sharedSystemOfProcesses();
    dev = system.dev();
    partner = createPartner(dev, dev.partner);
    await logNoSlowCommands(system);
    await tell(`${dev.receiver_url}/sandbox/hooks/${hookName}`, {
      status: 500,
      body: `no place for ${words.endpoint}`,
    });
    // Deletions are told too: what the endpoint answers to them is about nobody any more.
    await partner.newWebhook(hookName, ['case.status_updated']);
  });

  const mailFault = (fault: object) => tell(`${dev.mail_url}/sandbox/faults`, fault);
  const twilioFault = (fault: object) => tell(`${dev.twilio_url}/sandbox/faults`, fault);
  const update = async (id: number) => (await readCase(partner.call, id)).status_updates[0];
  const pathOf = (id: number) => `/v1/client/users/${id}`;

  /** A case whose status changes. @returns its id */
  async function changedCase(userId: number): Promise<number> {
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    const { id } = await partner.newCase(userId, receipt);
    await setReceipt(dev, receipt, approved);
    return id;
  }

  function placesOf(word: string, places: readonly Place[]): string[] {
    return places.filter(({ text }) => text.includes(word)).map(({ name }) => name);
  }

  /** Where the words stand, once each stands in its row. */
  async function standsOnlyIn(expected: Record<string, string[]>): Promise<void> {
    const read = async () => {
      const places = await everythingStored(system);
      return Object.fromEntries(Object.keys(expected).map((word) => [word, placesOf(word, places)]));
    };
    await waitFor(
      async () => {
        const found = await read();
        return Object.entries(expected).every(([word, rows]) =>
          rows.every((row) => found[word]?.includes(row)),
        );
      },
      { ...patience, what: 'the words in their rows' },
    );
    expect(await read()).toEqual(expected);
  }

  it('of a mail server and of Twilio stand in the row of the message, and callers read a sentence of ours', async () => {
    const user = await partner.verifiedUser({ phone, notify_by_whatsapp: true });
    people.push(user.id);
    await mailFault({
      mode: 'reject',
      code: 550,
      reply: `5.1.1 ${words.mailServer} does not live here`,
      to: user.email,
    });
    await twilioFault({
      mode: 'status',
      status: 400,
      code: 29_999,
      message: `${words.twilio} said no`,
      to: phone,
    });
    const id = await changedCase(user.id);
    const settled = await waitFor(async () => {
      const found = await update(id);
      const isSettled = found?.email_notify_status === 'failed' && found.whatsapp_notify_status === 'failed';
      return isSettled && found;
    }, patience);
    expect(settled).toMatchObject({
      email_notify_last_error: 'smtp_550: 5.1.1 the mailbox does not exist',
      whatsapp_notify_last_error: 'twilio_29999: not accepted',
    });
    await twilioFault({ mode: 'none' });
    await standsOnlyIn({
      [words.mailServer]: ['notifier.notifications'],
      [words.twilio]: ['notifier.notifications'],
    });
  });

  it('of a mail provider stand in the row of the message, also where its code should be', async () => {
    await mailFault({ mode: 'none' });
    const user = await partner.verifiedUser({});
    people.push(user.id);
    const id = await changedCase(user.id);
    await waitFor(async () => (await update(id))?.email_notify_status === 'sent', patience);
    const bounce = {
      type: 'Permanent',
      subType: words.bounceType,
      message: `550 5.1.1 ${words.mailProvider} is gone`,
    };
    const headers = [{ name: 'Message-ID', value: '{message_id}' }];
    const reported = await tell<{ response_status: number }>(
      `${dev.mail_url}/sandbox/reports`,
      {
        provider: 'resend',
        to: user.email,
        url: `${dev.gateway_url}/v1/callbacks/email/resend`,
        body: JSON.stringify({ type: 'email.bounced', data: { to: [user.email], headers, bounce } }),
      },
      'POST',
    );
    expect(reported.response_status).toBe(204);
    const failed = await waitFor(async () => {
      const found = await update(id);
      return found?.email_notify_status === 'failed' && found;
    }, patience);
    expect(failed.email_notify_last_error).toBe('bounce_unknown: 5.1.1 the mailbox does not exist');
    await standsOnlyIn({ [words.mailProvider]: ['notifier.notifications'], [words.bounceType]: [] });
  });

  it('about a mail to verify an address stand in its row; about a sign-in code, which is of no user yet, nowhere', async () => {
    const email = `words-${suffix}@others.example`;
    await mailFault({ mode: 'greylist', reply: `4.7.1 ${words.mailServerLater} must wait`, to: email });
    const made = await partner.call('POST', '/v1/client/users', { email, name: 'Clara Lane' });
    expect(made.status).toBe(201);
    people.push((made.body.user as { id: number }).id);
    await standsOnlyIn({ [words.mailServerLater]: ['notifier.mails'] });
    await mailFault({ mode: 'greylist', reply: `4.7.1 ${words.mailServerOfCode} must wait`, to: email });
    await send(dev, 'POST', { path: '/v1/auth/login-code', body: { email } });
    const triedRow = async () => {
      const mails = (await everythingStored(system)).find(({ name }) => name === 'notifier.mails');
      const rows = JSON.parse(mails?.text ?? '[]') as { kind: string; last_error: string | null }[];
      return rows.some(({ kind, last_error }) => kind === 'login_code' && last_error !== null);
    };
    await waitFor(triedRow, { ...patience, what: 'a sign-in code that was refused' });
    const places = await everythingStored(system);
    expect(placesOf(words.mailServerOfCode, places).filter((name) => name !== 'notifier.mails')).toEqual([]);
    const codes = places.find(({ name }) => name === 'notifier.mails')?.text ?? '';
    const withWords = (JSON.parse(codes) as { kind: string; provider_text?: string | null }[]).filter(
      ({ provider_text }) => provider_text?.includes(words.mailServerOfCode),
    );
    expect(withWords.map(({ kind }) => kind)).not.toContain('login_code');
  });

  it('of an endpoint stand in its deliveries, which the partner reads', async () => {
    await waitFor(async () => (await hooksOf(dev, hookName)).length > 0, patience);
    await standsOnlyIn({ [words.endpoint]: ['webhooks.deliveries'] });
  });

  it('of USCIS about a receipt reach the caller, and no log and no stream', async () => {
    for (const status of [404, 422]) {
      const receipt = newReceipt();
      const message = `The receipt number ${receipt} is not of ${words.uscis}.`;
      await setAnswer(dev, receipt, { status, body: JSON.stringify({ code: String(status), message }) });
      const body = { receipt_number: receipt, max_age: 300 };
      const checked = await partner.call('POST', '/v1/check', body);
      expect(JSON.stringify(checked.body)).toContain(words.uscis);
      const places = await everythingStored(system);
      expect(placesOf(receipt, places).filter((name) => /^(log|stream) /.test(name))).toEqual([]);
      expect(placesOf(words.uscis, places).filter((name) => /^(log|stream) /.test(name))).toEqual([]);
    }
  });

  it('are gone with the person, from every collection, stream and log', async () => {
    for (const id of people) expect((await partner.call('DELETE', pathOf(id))).status).toBe(200);
    const { uscis: _ofNoPerson, ...ofPeople } = words;
    const left = async () => {
      const places = await everythingStored(system);
      return Object.values(ofPeople).flatMap((word) => placesOf(word, places).map((place) => [word, place]));
    };
    await waitFor(async () => (await left()).length === 0, { ...patience, what: 'the erasure' }).catch(
      async (cause: unknown) => {
        throw new Error(`left: ${JSON.stringify(await left())}`, { cause });
      },
    );
    await mailFault({ mode: 'none' });
  });
});
