import { htmlLanguage, noticeSentence, statusWords } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateTexts } from '../src/templates/update-texts.ts';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('the mail about an update', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  async function oneMail(to: string) {
    return await waitFor(async () => (await notifier.mails(to))[0], { what: `a mail to ${to}` });
  }

  it.each([
    [11, 'en', 'Update on your case ending in 6789', 'Case Was Approved'],
    [12, 'es', 'Novedades sobre su caso que termina en 6789', 'Caso Fue Aprobado'],
    [13, 'pt', 'Atualização do seu caso com final 6789', 'Caso aprovado'],
  ] as const)(
    'reaches user %d in their language (%s), once, and says so',
    async (id, language, subject, title) => {
      notifier.users.set(id, aUser(id, { preferred_language: language, notify_by_whatsapp: false }));
      await notifier.monitor.publish('status.updated', anUpdate(id, id));
      const sent = await notifier.saidOf(id, 'email', 'sent');
      expect(sent).toMatchObject({ attempts: 1, last_error: null, case_id: id, user_id: id, partner_id: 1 });
      expect(Date.now() - Date.parse(sent.sent_at ?? '')).toBeLessThan(10_000);
      const mail = await oneMail(`person-${id}@example.org`);
      expect(mail.subject).toBe(subject);
      expect(mail.text).toContain(title);
      expect(mail.html).toContain(`lang="${htmlLanguage[language]}"`);
    },
  );

  it('shows no name, and of the receipt number only the last four', async () => {
    const mail = await oneMail('person-11@example.org');
    const whole = JSON.stringify(mail);
    expect(whole).not.toContain('EAC9999106789');
    expect(whole).not.toContain('Ferreira');
    expect(mail.text).toContain('…6789');
    expect(mail.html).toContain('We &lt;will&gt; mail it.');
  });

  it('carries the headers that make it answerable, quiet and unsubscribable', async () => {
    const { headers } = await oneMail('person-11@example.org');
    expect(headers['message-id']).toBe('<11.email@casewatch.example>');
    expect(headers['auto-submitted']).toBe('auto-generated');
    expect(headers['reply-to']).toBe('help@santos.example');
    expect(headers.from).toMatch(/^"?Santos & Partners via Casewatch"? <[^<>]+@casewatch\.example>$/);
    expect(headers['list-unsubscribe']).toMatch(
      new RegExp(`^<${notifier.publicUrl}/v1/unsubscribe\\?token=11\\.email\\.[\\w-]{22}>$`),
    );
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  });

  it.each([
    [81, 'en', 'USCIS must receive the answer by'],
    [82, 'es', 'USCIS debe recibir la respuesta a más tardar el'],
    [83, 'pt', 'O USCIS precisa receber a resposta até'],
  ] as const)(
    'of user %d shows the day that the firm read in the notice, before what to do, in %s',
    async (id, language, words) => {
      notifier.users.set(id, aUser(id, { preferred_language: language, notify_by_whatsapp: false }));
      const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
      const status_code = 'Request for Additional Evidence Was Sent';
      const sentDay = new Date(Date.now() - 86_400_000).toLocaleDateString('en-US', {
        dateStyle: 'long',
        timeZone: 'UTC',
      });
      const status_description = `On ${sentDay}, we sent a request for additional evidence for your Form I-130.`;
      const event = anUpdate(id, id, { kind: 'details', status_code, status_description });
      notifier.notices.add({ status_update_id: event.status_update.id, date });
      await notifier.monitor.publish('status.updated', event);
      const { text = '', html } = await oneMail(`person-${id}@example.org`);
      const sentence = noticeSentence(date, language);
      expect(sentence).toContain(words);
      const { action } = statusWords(status_code, language);
      for (const part of [text.replace(/\s+/g, ' '), String(html)]) expect(part).toContain(sentence);
      expect(text.indexOf(sentence.slice(0, 30))).toBeLessThan(
        text.indexOf(action?.slice(0, 30) ?? 'no action'),
      );
      // Our estimate gives way.
      expect(text).not.toContain(updateTexts[language].deadline.slice(0, 30));
    },
  );

  it('shows no day where the one of the notice has passed: our estimate, which is later, does not come back', async () => {
    notifier.users.set(84, aUser(84, { notify_by_whatsapp: false }));
    const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);
    const sentDay = dayFromNow(-40).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    const event = (id: number) =>
      anUpdate(id, 84, {
        kind: 'details',
        status_code: 'Request for Additional Evidence Was Sent',
        status_description: `On ${sentDay}, we sent a request for additional evidence for your Form I-130.`,
      });
    const date = dayFromNow(-3).toISOString().slice(0, 10);
    notifier.notices.add({ status_update_id: 84, date });
    await notifier.monitor.publish('status.updated', event(84));
    const { text } = await oneMail('person-84@example.org');
    const [estimate = ''] = updateTexts.en.estimate;
    expect(text.replace(/\s+/g, ' ')).not.toContain(estimate);
    expect(text).not.toContain(noticeSentence(date, 'en'));
    expect(text).toContain('What to do');
    // Without the notice, the same change has an estimate.
    await notifier.monitor.publish('status.updated', event(85));
    await waitFor(async () => (await notifier.mails('person-84@example.org')).length === 2);
    const texts = (await notifier.mails('person-84@example.org')).map((mail) =>
      mail.text.replace(/\s+/g, ' '),
    );
    expect(texts.filter((one) => one.includes(estimate))).toHaveLength(1);
  });

  it('leads a direct user to the app, and names no partner', async () => {
    notifier.users.set(14, aUser(14, { partner_id: null }));
    await notifier.monitor.publish('status.updated', anUpdate(14, 14));
    const mail = await oneMail('person-14@example.org');
    expect(mail.text).toContain('https://app.casewatch.example');
    expect(mail.text).not.toContain('Santos');
    expect(mail.headers.from).not.toContain('Santos');
    expect(mail.headers).not.toHaveProperty('reply-to');
  });

  it('is sent once however often the event comes', async () => {
    notifier.users.set(15, aUser(15));
    for (let i = 0; i < 3; i += 1) await notifier.monitor.publish('status.updated', anUpdate(15, 15));
    await notifier.saidOf(15, 'email', 'sent');
    // A later update of another case passes through the same lane after all three.
    await notifier.monitor.publish('status.updated', anUpdate(16, 15));
    await notifier.saidOf(16, 'email', 'sent');
    const ids = (await notifier.mails('person-15@example.org')).map((mail) => mail.headers['message-id']);
    expect(ids.sort()).toEqual(['<15.email@casewatch.example>', '<16.email@casewatch.example>']);
  });

  it('goes again after greylisting, and counts both tries', async () => {
    notifier.users.set(17, aUser(17, { notify_by_whatsapp: false }));
    await notifier.mailFault({ mode: 'greylist', to: 'person-17@example.org' });
    await notifier.monitor.publish('status.updated', anUpdate(17, 17));
    const failed = await notifier.saidOf(17, 'email', 'pending');
    expect(failed).toMatchObject({
      attempts: 1,
      last_error: 'smtp_451: greylisted',
      sent_at: null,
    });
    await notifier.mailFault({ mode: 'none' });
    const sent = await notifier.saidOf(17, 'email', 'sent');
    expect(sent.attempts).toBeGreaterThan(1);
    expect(sent.last_error).toBeNull();
    expect(await notifier.mails('person-17@example.org')).toHaveLength(1);
  });

  it('fails for good where the mailbox does not exist', async () => {
    notifier.users.set(18, aUser(18));
    await notifier.mailFault({ mode: 'reject', to: 'person-18@example.org' });
    await notifier.monitor.publish('status.updated', anUpdate(18, 18));
    const failed = await notifier.saidOf(18, 'email', 'failed');
    expect(failed).toMatchObject({
      attempts: 1,
      last_error: 'smtp_550: the mailbox does not exist',
      sent_at: null,
    });
    await notifier.mailFault({ mode: 'none' });
  });

  it('repeats with the same Message-ID where the connection died after DATA', async () => {
    notifier.users.set(19, aUser(19));
    await notifier.mailFault({ mode: 'drop_after_data', to: 'person-19@example.org' });
    await notifier.monitor.publish('status.updated', anUpdate(19, 19));
    await notifier.saidOf(19, 'email', 'pending');
    await notifier.mailFault({ mode: 'none' });
    await notifier.saidOf(19, 'email', 'sent');
    const mails = await notifier.mails('person-19@example.org');
    expect(mails.length).toBeGreaterThan(1);
    expect(new Set(mails.map((mail) => mail.headers['message-id'])).size).toBe(1);
  });

  it('waits for identity and cases without costing an attempt', async () => {
    notifier.users.set(20, aUser(20));
    notifier.away.add('identity.people').add('cases.active');
    await notifier.monitor.publish('status.updated', anUpdate(20, 20));
    // The claim of the recipient was given back without a message.
    const recipients = notifier.db.collection<{ _id: string }>('recipients');
    await waitFor(() => recipients.findOne({ _id: '20:email', claim: null, last_message_at: null }));
    notifier.away.clear();
    expect(await notifier.saidOf(20, 'email', 'sent')).toMatchObject({ revision: 1, attempts: 1 });
  });

  it('goes again with the same Message-ID when a killed sender left it behind in the middle', async () => {
    notifier.users.set(21, aUser(21, { notify_by_whatsapp: false }));
    notifier.away.add('cases.active');
    await notifier.monitor.publish('status.updated', anUpdate(21, 21));
    const rows = notifier.db.collection('notifications');
    await waitFor(() => rows.findOne({ status_update_id: 21, channel: 'email' }));
    // What a process that died while sending leaves in the database, a minute later.
    await rows.updateOne(
      { status_update_id: 21, channel: 'email' },
      {
        $set: {
          status: 'sending',
          attempts: 1,
          lease_until: new Date(Date.now() - 1_000),
        },
        $inc: { fence: 1 },
      },
    );
    notifier.away.clear();
    expect(await notifier.saidOf(21, 'email', 'pending')).toMatchObject({
      attempts: 1,
      last_error: expect.stringMatching(/^interrupted: /),
    });
    expect(await notifier.saidOf(21, 'email', 'sent')).toMatchObject({ attempts: 2, last_error: null });
    expect((await oneMail('person-21@example.org')).headers['message-id']).toBe(
      '<21.email@casewatch.example>',
    );
  });

  it('goes to an unverified address only where the partner says so', async () => {
    const unverified = { email_verified_at: null, partner_notify_unverified: true };
    notifier.users.set(22, aUser(22, unverified));
    await notifier.monitor.publish('status.updated', anUpdate(22, 22));
    expect(await notifier.saidOf(22, 'email', 'sent')).toMatchObject({ attempts: 1 });
  });
});
