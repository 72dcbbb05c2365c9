import { htmlLanguage, type Language } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { optOutsOf } from './support/opt-outs.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' };

type OptOuts = ReturnType<typeof optOutsOf>;

let notifier: TestNotifier;
let linkOf: OptOuts['linkOf'];
let suppression: OptOuts['suppression'];
let optOuts: OptOuts['optOuts'];
let change: OptOuts['change'];
beforeAll(async () => {
  notifier = await startTestNotifier();
  ({ linkOf, suppression, optOuts, change } = optOutsOf(notifier));
});
afterAll(() => notifier.stop());

describe('the page of an unsubscribe link', () => {
  it.each([
    [401, 'en', 'Stop the e-mails', 'You will not get any more e-mails'],
    [402, 'es', 'Dejar de recibir correos', 'Ya no recibirá correos'],
    [403, 'pt', 'Parar de receber e-mails', 'Você não receberá mais e-mails'],
  ] as [number, Language, string, string][])(
    'changes nothing for user %d until its button, in their language (%s), is pressed',
    async (id, language, label, done) => {
      notifier.users.set(id, aUser(id, { preferred_language: language }));
      const page = await fetch(linkOf(id), { headers: browser });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.headers.get('content-security-policy')).toContain(
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
      );
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
      const text = await page.text();
      expect(text).toContain(`<html lang="${htmlLanguage[language]}">`);
      expect(text).toContain(`<button type="submit">${label}</button>`);
      expect(text).not.toContain('<script');
      expect(await suppression(id)).toBeNull();
      expect(await optOuts(id)).toEqual([]);

      // As a browser does it: the form's address, against the page's.
      const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1] ?? '';
      const pressed = await fetch(new URL(action, linkOf(id)), {
        ...oneClick,
        headers: { ...form, ...browser },
      });
      expect(pressed.status).toBe(200);
      expect(pressed.headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(await pressed.text()).toContain(done);
      expect(await suppression(id)).toMatchObject({ reason: 'unsubscribed' });
      expect(await optOuts(id)).toHaveLength(1);
    },
  );

  it('is in English where identity does not answer, and its button works', async () => {
    notifier.users.set(404, aUser(404, { preferred_language: 'es' }));
    notifier.away.add('identity.people');
    try {
      const text = await (await fetch(linkOf(404, 'whatsapp'), { headers: browser })).text();
      expect(text).toContain('Stop WhatsApp messages about your cases?');
      expect((await fetch(linkOf(404, 'whatsapp'), oneClick)).status).toBe(200);
    } finally {
      notifier.away.clear();
    }
    expect(await optOuts(404)).toEqual([expect.objectContaining({ channel: 'whatsapp' })]);
  });

  it('offers the other channel too, with a button that stops only that one', async () => {
    const user = aUser(406);
    notifier.users.set(406, user);
    const pressed = await fetch(linkOf(406), { ...oneClick, headers: { ...form, ...browser } });
    const text = await pressed.text();
    expect(text).toContain('You still get updates about your cases by WhatsApp.');
    expect(await suppression(406, 'whatsapp')).toBeNull();
    const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1] ?? '';
    change(user, { notify_by_email: false });
    const second = await fetch(new URL(action, linkOf(406)), {
      ...oneClick,
      headers: { ...form, ...browser },
    });
    const secondText = await second.text();
    expect(secondText).toContain('You will not get any more WhatsApp messages');
    expect(secondText).not.toContain('<form');
    expect((await optOuts(406)).map(({ channel }) => channel).sort()).toEqual(['email', 'whatsapp']);
  });

  it.each([
    ['has WhatsApp switched off', 407, { notify_by_whatsapp: false }],
    ['has no phone number', 408, { phone: null }],
  ])('offers no other channel where the person %s', async (_why, id, over) => {
    notifier.users.set(id, aUser(id, over));
    const text = await (await fetch(linkOf(id), { headers: browser })).text();
    expect(text.match(/<form/g)).toHaveLength(1);
  });

  it('is JSON to a program, and changes nothing for it either', async () => {
    notifier.users.set(405, aUser(405));
    const answer = await fetch(linkOf(405));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ channel: 'email', message: expect.stringContaining('e-mails') });
    expect((await fetch(linkOf(405), { method: 'HEAD' })).status).toBe(200);
    expect(await suppression(405)).toBeNull();
  });
});

describe('unsubscribing', () => {
  it('takes one click in a mail program: stored, and told to identity', async () => {
    notifier.users.set(411, aUser(411));
    const answer = await fetch(linkOf(411), oneClick);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      success: true,
      message: 'You will get no more e-mails about your cases.',
      channel: 'email',
    });
    const row = await suppression(411);
    expect(await optOuts(411)).toEqual([{ user_id: 411, channel: 'email', at: row?.at.toISOString() }]);
    const outbox = notifier.db.collection('outbox');
    const unpublished = { type: 'contact.opted_out', published_at: null };
    await waitFor(async () => (await outbox.countDocuments(unpublished)) === 0);
  });

  it.each([
    ['JSON', 412, { headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['no body at all', 416, {}],
  ])('takes %s', async (_what, id, init) => {
    notifier.users.set(id, aUser(id));
    const answer = await fetch(linkOf(id, 'whatsapp'), { method: 'POST', ...init });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true, channel: 'whatsapp' });
    expect(await optOuts(id)).toHaveLength(1);
  });

  it('again, even ten times at the same time, publishes nothing new, before and after identity knows of it', async () => {
    const user = aUser(413);
    notifier.users.set(413, user);
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(linkOf(413), oneClick)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const first = await suppression(413);
    change(user, { notify_by_email: false });
    expect((await fetch(linkOf(413), oneClick)).status).toBe(200);
    expect(await suppression(413)).toEqual(first);
    expect(await optOuts(413)).toHaveLength(1);
  });

  it('again is said again once the person has opted in meanwhile', async () => {
    const user = aUser(414);
    notifier.users.set(414, user);
    await fetch(linkOf(414), oneClick);
    const first = await suppression(414);
    change(user, { version: 3 });
    expect((await fetch(linkOf(414), oneClick)).status).toBe(200);
    const events = await optOuts(414);
    expect(events).toHaveLength(2);
    expect((await suppression(414))?.at.getTime()).toBeGreaterThan(first?.at.getTime() ?? Number.NaN);
  });

  it.each(['GET', 'POST'])(
    'with a wrong token is 400 (%s): JSON to programs, a page to browsers',
    async (method) => {
      notifier.users.set(415, aUser(415));
      const wrong = linkOf(415).replace('415.email', '415.whatsapp');
      const answer = await fetch(wrong, { method });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ success: false, code: 'invalid_verification_token' });
      const inPortuguese = { ...browser, 'accept-language': 'fr, pt-BR;q=0.9' };
      const page = await fetch(`${notifier.publicUrl}/v1/unsubscribe?token=<script>`, {
        method,
        headers: inPortuguese,
      });
      expect(page.status).toBe(400);
      const text = await page.text();
      expect(text).toContain('Este link não funciona');
      expect(text).not.toContain('<script>');
      expect((await fetch(`${notifier.publicUrl}/v1/unsubscribe`, { method })).status).toBe(400);
      expect(await optOuts(415)).toEqual([]);
    },
  );
});

describe('after unsubscribing from mail by the link of a mail', () => {
  const address = 'person-421@example.org';

  it('the next status mail is skipped, while WhatsApp and sign-in codes still come', async () => {
    const user = aUser(421);
    notifier.users.set(421, user);
    await notifier.monitor.publish('status.updated', anUpdate(421, 421));
    await notifier.saidOf(421, 'email', 'sent');
    const [mail] = await notifier.mails(address);
    const link = /^<(.+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? '';
    expect((await fetch(link, oneClick)).status).toBe(200);

    await notifier.monitor.publish('status.updated', anUpdate(422, 421));
    const skipped = await notifier.saidOf(422, 'email', 'skipped');
    expect(skipped).toMatchObject({ attempts: 0, sent_at: null });
    expect(skipped.last_error).toBe('suppressed_unsubscribed: the person unsubscribed from this channel');
    await waitFor(() => notifier.said(422, 'whatsapp').some(({ sent_at }) => sent_at !== null));
    await notifier.identity.bus.request('notifier.send', {
      kind: 'login_code',
      message_id: 'login-after-unsubscribing',
      to: address,
      language: 'en',
      expires_at: new Date(Date.now() + 600_000).toISOString(),
      code: '042137',
    });
    const subjects = await waitFor(async () => {
      const mails = await notifier.mails(address);
      return mails.length > 1 && mails.map(({ subject }) => subject).sort();
    });
    expect(subjects).toEqual(['Update on your case ending in 6789', 'Your sign-in code']);
  });

  it('it is skipped as switched off when identity has heard of it', async () => {
    change(aUser(421), { notify_by_email: false });
    await notifier.monitor.publish('status.updated', anUpdate(423, 421));
    expect((await notifier.saidOf(423, 'email', 'skipped')).last_error).toMatch(/^channel_disabled: /);
  });

  it('it goes out again when the person has opted in again', async () => {
    change(aUser(421), { version: 3 });
    await notifier.monitor.publish('status.updated', anUpdate(424, 421));
    expect(await notifier.saidOf(424, 'email', 'sent')).toMatchObject({ attempts: 1 });
  });

  it('nothing of it is left when the user is deleted, and unsubscribing then leaves nothing either', async () => {
    expect(await suppression(421)).not.toBeNull();
    await notifier.identity.publish('user.deleted', { user_id: 421, partner_id: 1, version: 4 });
    await waitFor(async () => (await suppression(421)) === null);
    const before = await optOuts(421);
    expect((await fetch(linkOf(421), oneClick)).status).toBe(200);
    notifier.users.delete(421);
    expect((await fetch(linkOf(421), oneClick)).status).toBe(200);
    expect(await suppression(421)).toBeNull();
    expect(await optOuts(421)).toEqual(before);
  });
});

describe('the pages of an unsubscribe link', () => {
  const headOf = (page: string) => /<header>(.*)<\/header>/.exec(page)?.[1];
  const pages = async (id: number) => {
    const shown = await fetch(linkOf(id), { headers: browser });
    const done = await fetch(linkOf(id), { ...oneClick, headers: { ...form, ...browser } });
    for (const { headers } of [shown, done])
      expect(headers.get('content-security-policy')).toContain("img-src 'self'");
    return [await shown.text(), await done.text()];
  };
  const logo = '<img src="/logos/aaaaaaaaaaaaaaaaaaaaaa.png" alt="">';
  const partner_logo_url = 'https://casewatch.example/logos/aaaaaaaaaaaaaaaaaaaaaa.png';

  it.each([
    [431, 'its name and logo', { partner_logo_url }, `${logo}<bdi>Santos &amp; Partners</bdi>`],
    [432, 'its name alone', { partner_logo_url: null }, '<bdi>Santos &amp; Partners</bdi>'],
    [
      433,
      'its name as text',
      { partner_logo_url: null, partner_name: '<b>Co</b>' },
      '<bdi>&lt;b&gt;Co&lt;/b&gt;</bdi>',
    ],
  ])('have of the partner of user %d %s, like the mails', async (id, _what, over, head) => {
    notifier.users.set(id, aUser(id, over));
    for (const page of await pages(id)) expect(headOf(page)).toBe(head);
  });

  it('are ours for a person without a partner, and for one who is deleted', async () => {
    notifier.users.set(434, aUser(434, { partner_id: null }));
    for (const id of [434, 435]) {
      for (const page of await pages(id)) {
        expect(headOf(page)).toBe('Casewatch');
        expect(page).not.toMatch(/<img|<bdi>/);
      }
    }
  });
});
