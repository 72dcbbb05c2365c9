import { fileURLToPath } from 'node:url';
import type { Language } from '@casewatch/contracts';
import { spawnProgram, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAddressHashes } from '../src/clients/address-hashes.ts';
import { readStopWord } from '../src/domain/stop-word.ts';
import { stopConfirmation } from '../src/templates/stop-confirmation.ts';
import { anUpdate, aUser } from './support/fixtures.ts';
import { optOutsOf } from './support/opt-outs.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

type Row = {
  _id: string;
  user_id: number;
  status: string;
  last_error: string | null;
  attempts: number;
  sealed: string | null;
};

const rowsOf = (notifier: TestNotifier) => notifier.db.collection<Row>('mails');
const phoneOf = (id: number) => `+1202555${id}`;

/** A person who got a message at this number. */
async function reached(
  notifier: TestNotifier,
  id: number,
  preferred_language: Language = 'en',
  phone = phoneOf(id),
) {
  const user = aUser(id, { phone, preferred_language, notify_by_email: false });
  notifier.users.set(id, user);
  await notifier.monitor.publish('status.updated', anUpdate(id, id));
  await notifier.saidOf(id, 'whatsapp', 'delivered');
  return { user, phone };
}

const isAnswer = ({ content_sid }: { content_sid: string | null }) => content_sid === null;

/** The free texts to a number. */
async function answersTo(notifier: TestNotifier, phone: string) {
  return (await notifier.messages(phone)).filter(isAnswer);
}

async function settled(notifier: TestNotifier, id: number, count = 1) {
  const isDone = ({ status }: Row) => status !== 'pending' && status !== 'sending';
  return await waitFor(
    async () => {
      const rows = await rowsOf(notifier).find({ user_id: id }).toArray();
      return rows.length === count && rows.every(isDone) && rows;
    },
    { what: `${count} confirmations for user ${id}`, timeoutMs: 30_000 },
  );
}

describe('a stop word', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier({
      TWILIO_CONTENT_SIDS: JSON.stringify({
        status_update: { en: `HX${'1'.repeat(32)}`, es: `HX${'2'.repeat(32)}`, pt: `HX${'3'.repeat(32)}` },
        status_digest: {},
        first_update: {},
      }),
    });
  });
  afterAll(() => notifier.stop());

  const isConfirmed = async (phone: string, language: Language = 'en') => {
    const [answer] = await answersTo(notifier, phone);
    return answer?.body === stopConfirmation[language](`${notifier.publicUrl}/settings`);
  };

  it.each([
    [3_101, 'en', 'STOP'],
    [3_102, 'es', 'Alto'],
    [3_103, 'pt', 'PARE'],
    [3_104, 'es', 'Baja, por favor.'],
    [3_105, 'pt', 'Sair'],
    [3_106, 'en', 'unsubscribe'],
    // The language is the person's, not that of the word.
    [3_107, 'pt', 'STOP'],
  ] as const)('of person %i is confirmed once, in %s: %s', async (id, language, word) => {
    const { phone } = await reached(notifier, id, language);
    expect((await notifier.reply(phone, word)).response_status).toBe(204);
    expect(await settled(notifier, id)).toMatchObject([{ status: 'sent', attempts: 1, last_error: null }]);
    expect(await isConfirmed(phone, language)).toBe(true);
    const shown = await waitFor(async () =>
      (await answersTo(notifier, phone)).find(({ status }) => status === 'delivered'),
    );
    expect(shown.body).toMatch(/USCIS/);
  });

  it('is confirmed with the word and the page that start again, and both do', async () => {
    const { user, phone } = await reached(notifier, 3_110, 'es');
    await notifier.reply(phone, 'BAJA');
    await settled(notifier, 3_110);
    const [answer] = await answersTo(notifier, phone);
    const word = /responda (\S+)/.exec(answer?.body ?? '')?.[1] ?? '';
    expect(readStopWord(word)).toBe('start');
    await notifier.reply(phone, word);
    optOutsOf(notifier).change(user, { notify_by_whatsapp: true });
    await notifier.monitor.publish('status.updated', anUpdate(3_111, 3_110));
    await notifier.saidOf(3_111, 'whatsapp', 'delivered');
    expect(await rowsOf(notifier).countDocuments({ user_id: 3_110 })).toBe(1);
  });

  it('that Twilio delivers again, one after the other or at the same time, is confirmed once', async () => {
    const { phone } = await reached(notifier, 3_120);
    const again = () => notifier.reply(phone, 'STOP', { sid: 'SM-delivered-again' });
    await again();
    await Promise.all([again(), again(), again()]);
    await again();
    await settled(notifier, 3_120);
    expect(await answersTo(notifier, phone)).toHaveLength(1);
  });

  it('that a person sends several times is confirmed once', async () => {
    const { phone } = await reached(notifier, 3_130);
    await Promise.all(['STOP', 'stop', 'Stop!', 'QUIT'].map((word) => notifier.reply(phone, word)));
    await notifier.reply(phone, 'STOP STOP STOP');
    await settled(notifier, 3_130);
    expect(await answersTo(notifier, phone)).toHaveLength(1);
  });

  it('is confirmed again after START, and where the last one is more than a day old', async () => {
    const { phone } = await reached(notifier, 3_140);
    await notifier.reply(phone, 'STOP');
    await settled(notifier, 3_140);
    await notifier.reply(phone, 'START');
    await notifier.reply(phone, 'STOP');
    await settled(notifier, 3_140, 2);
    const hashes = createAddressHashes(notifier.config.NOTIFIER_HMAC_KEY);
    const hash = { _id: hashes.current('whatsapp', phone) };
    const suppressions = notifier.db.collection<{ _id: string }>('address_suppressions');
    const set = (hours: number) =>
      suppressions.updateOne(hash, { $set: { at: new Date(Date.now() - hours * 3_600_000) } });
    await set(23);
    await notifier.reply(phone, 'STOP');
    expect(await rowsOf(notifier).countDocuments({ user_id: 3_140 })).toBe(2);
    await set(25);
    await notifier.reply(phone, 'STOP');
    await settled(notifier, 3_140, 3);
    expect(await answersTo(notifier, phone)).toHaveLength(3);
  });

  it.each([
    [3_151, 'START', {}],
    [3_152, 'What does my update mean?', {}],
    [3_153, 'please stop calling my lawyer', {}],
    [3_154, 'HELP', { opt_out_type: 'HELP' }],
    // Twilio has answered itself, and would refuse ours.
    [3_155, 'STOP', { opt_out_type: 'STOP' }],
    [3_156, 'adios', { opt_out_type: 'STOP' }],
  ])('is not confirmed to %i: %s %j', async (id, body, more) => {
    const { phone } = await reached(notifier, id);
    expect((await notifier.reply(phone, body, more)).response_status).toBe(204);
    expect(await rowsOf(notifier).countDocuments({ user_id: id })).toBe(0);
    expect(await answersTo(notifier, phone)).toEqual([]);
  });

  it('from a number to which nothing was sent is obeyed and not confirmed', async () => {
    const before = await rowsOf(notifier).countDocuments({});
    const suppressions = await notifier.db.collection('address_suppressions').countDocuments();
    await notifier.reply('+12025553161', 'STOP');
    expect(await rowsOf(notifier).countDocuments({})).toBe(before);
    expect(await notifier.db.collection('address_suppressions').countDocuments()).toBe(suppressions + 1);
  });

  it.each([
    [3_162, 'of a user that is deleted', (id: number) => notifier.users.delete(id)],
    [
      3_163,
      'that the user has no more',
      (id: number) => notifier.users.set(id, aUser(id, { phone: '+12025553999' })),
    ],
    [
      3_164,
      'that the user has taken out',
      (id: number) => notifier.users.set(id, aUser(id, { phone: null })),
    ],
  ])('from a number %i %s is obeyed and not confirmed', async (id, _what, change) => {
    const { phone } = await reached(notifier, id);
    change(id);
    await notifier.reply(phone, 'STOP');
    const [row] = await settled(notifier, id);
    expect(row).toMatchObject({
      status: 'failed',
      last_error: 'no_address: the number belongs to no user',
      sealed: null,
    });
    expect(await answersTo(notifier, phone)).toEqual([]);
  });

  it('from a number of two users is confirmed once', async () => {
    const phone = '+12025553171';
    await reached(notifier, 3_171, 'es', phone);
    await reached(notifier, 3_172, 'es', phone);
    notifier.users.delete(3_171);
    await notifier.reply(phone, 'BAJA');
    await settled(notifier, 3_171);
    expect(await isConfirmed(phone, 'es')).toBe(true);
    expect(await answersTo(notifier, phone)).toHaveLength(1);
  });

  it('is confirmed in the language of the person when identity answers again', async () => {
    const { phone } = await reached(notifier, 3_180, 'pt');
    notifier.away.add('identity.people');
    await notifier.reply(phone, 'PARE');
    await waitFor(() => rowsOf(notifier).findOne({ user_id: 3_180, last_error: /^identity: / }));
    expect(await answersTo(notifier, phone)).toEqual([]);
    notifier.away.clear();
    expect(await settled(notifier, 3_180)).toMatchObject([{ status: 'sent', attempts: 1 }]);
    expect(await isConfirmed(phone, 'pt')).toBe(true);
  });

  it('waits encrypted, and goes with the user', async () => {
    const { phone } = await reached(notifier, 3_190);
    await notifier.twilioFault({ mode: 'status', status: 429, code: 20_429, to: phone });
    await notifier.reply(phone, 'STOP');
    const row = await waitFor(() => rowsOf(notifier).findOne({ user_id: 3_190, last_error: /20429/ }));
    expect(JSON.stringify(row)).not.toContain(phone.slice(-7));
    await notifier.identity.publish('user.deleted', { user_id: 3_190, partner_id: 1, version: 2 });
    await waitFor(async () => (await rowsOf(notifier).countDocuments({ user_id: 3_190 })) === 0);
    await notifier.twilioFault({ mode: 'none' });
    expect(await answersTo(notifier, phone)).toEqual([]);
  });

  it('is not confirmed later than five minutes after it', async () => {
    const { phone } = await reached(notifier, 3_200);
    await notifier.twilioFault({ mode: 'status', status: 429, code: 20_429, to: phone });
    const before = Date.now();
    await notifier.reply(phone, 'STOP');
    const row = await waitFor(() => rowsOf(notifier).findOne({ user_id: 3_200, last_error: /20429/ }));
    const { expires_at } = row as unknown as { expires_at: Date };
    expect(Math.abs(expires_at.getTime() - before - 300_000)).toBeLessThan(60_000);
    await rowsOf(notifier).updateOne(
      { user_id: 3_200 },
      { $set: { expires_at: new Date(Date.now() - 1_000) } },
    );
    // Twilio refuses until then: an attempt that had read the row before could still send it.
    expect(await settled(notifier, 3_200)).toMatchObject([{ status: 'expired', sealed: null }]);
    await notifier.twilioFault({ mode: 'none' });
    expect(await answersTo(notifier, phone)).toEqual([]);
  });

  it.each([
    [3_211, 'took it and broke the connection', { mode: 'drop' }],
    [3_212, 'fails before it takes it', { mode: 'html', status: 503 }],
    [3_213, 'is asked too often', { mode: 'status', status: 429, code: 20_429 }],
  ])('is confirmed once to %i where Twilio %s', async (id, _what, fault) => {
    const { phone } = await reached(notifier, id);
    await notifier.twilioFault({ ...fault, to: phone });
    await notifier.reply(phone, 'STOP');
    await waitFor(() => rowsOf(notifier).findOne({ user_id: id, last_error: { $ne: null } }));
    await notifier.twilioFault({ mode: 'none' });
    await waitFor(async () => (await answersTo(notifier, phone)).length > 0);
    await waitFor(() => rowsOf(notifier).findOne({ user_id: id, status: { $in: ['sent', 'failed'] } }));
    expect(await answersTo(notifier, phone)).toHaveLength(1);
  });

  it('is obeyed, and its confirmation given up, where the person is unsubscribed at Twilio (21610)', async () => {
    const { phone } = await reached(notifier, 3_220);
    await notifier.twilioFault({ mode: 'status', status: 400, code: 21_610, to: phone });
    await notifier.reply(phone, 'STOP');
    const [row] = await settled(notifier, 3_220);
    expect(row).toMatchObject({
      status: 'failed',
      attempts: 1,
      last_error: 'twilio_21610: the recipient has unsubscribed',
    });
    await notifier.twilioFault({ mode: 'none' });
  });
});

describe('a stop word whose confirmation is interrupted', () => {
  it('by a kill while Twilio has it is confirmed once', async () => {
    await using notifier = await startTestNotifier({ NOTIFY_SEND_TIMEOUT_MS: '3000' });
    const { phone } = await reached(notifier, 3_301);
    notifier.away.add('identity.people');
    await notifier.reply(phone, 'STOP');
    await waitFor(() => rowsOf(notifier).findOne({ user_id: 3_301, last_error: /^identity: / }));
    await notifier.stopService();
    notifier.away.clear();
    // Twilio stores it and never answers.
    await notifier.twilioFault({ mode: 'hang', to: phone });
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const sending = spawnProgram(main, { env: notifier.env });
    try {
      const isSent = async () => (await answersTo(notifier, phone)).length > 0;
      await waitFor(isSent, { timeoutMs: 45_000, what: 'the confirmation' });
    } finally {
      await sending.end('SIGKILL');
    }
    await notifier.twilioFault({ mode: 'none' });
    await notifier.startService();
    expect(await settled(notifier, 3_301)).toMatchObject([{ status: 'sent', attempts: 2, sealed: null }]);
    expect(await answersTo(notifier, phone)).toHaveLength(1);
  });

  it('before the callback was answered is confirmed once', async () => {
    await using notifier = await startTestNotifier();
    const { phone } = await reached(notifier, 3_302);
    const again = () => notifier.reply(phone, 'STOP', { sid: 'SM-not-acknowledged' });
    await again();
    await settled(notifier, 3_302);
    // As a process leaves it that dies after the suppression.
    await notifier.db.collection('provider_events').deleteMany({});
    await notifier.db.collection('suppressions').deleteMany({});
    expect((await again()).response_status).toBe(204);
    await settled(notifier, 3_302);
    expect(await answersTo(notifier, phone)).toHaveLength(1);
    expect(await notifier.db.collection('suppressions').countDocuments({})).toBe(1);
  });
});
