import { htmlLanguage, type Language } from '@casewatch/contracts';
import { createMac } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alertsOffUrl } from '../src/http/alerts-off.ts';
import { aUser } from './support/fixtures.ts';
import { optOutsOf } from './support/opt-outs.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' };

let notifier: TestNotifier;
let ofPeople: ReturnType<typeof optOutsOf>;
beforeAll(async () => {
  notifier = await startTestNotifier();
  ofPeople = optOutsOf(notifier);
});
afterAll(() => notifier.stop());

/** As the mails have it. */
function linkOf(staffId: number): string {
  const config = { ...notifier.config, PUBLIC_URL: notifier.publicUrl };
  const links = createMac(notifier.config.NOTIFIER_HMAC_KEY, 'unsubscribe links');
  return alertsOffUrl({ config, links }, staffId);
}

/** What was published, or waits to be, about a member. */
async function optOuts(staffId: number): Promise<{ staff_id: number; at: string }[]> {
  const rows = await notifier.db.collection('outbox').find({ type: 'staff.opted_out' }).toArray();
  return rows.map((row) => JSON.parse(String(row.body)).data).filter((data) => data.staff_id === staffId);
}

const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

describe('the page that turns off the mails to a member', () => {
  it.each([
    [1, 'en', 'Stop the e-mails', 'would reach nobody else', 'You will not get any more e-mails'],
    [2, 'es', 'Dejar de recibir correos', 'no llegaría a nadie más', 'Ya no recibirá correos'],
    [3, 'pt', 'Parar de receber e-mails', 'não chegaria a mais ninguém', 'Você não receberá mais e-mails'],
  ] as [number, Language, string, string, string][])(
    'changes nothing for member %d until its button is pressed, and says what still comes (%s)',
    async (id, language, label, still, done) => {
      const headers = { ...browser, 'accept-language': language };
      const page = await fetch(linkOf(id), { headers });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
      const text = await page.text();
      expect(text).toContain(`<html lang="${htmlLanguage[language]}">`);
      expect(text).toContain(`<button type="submit">${label}</button>`);
      expect(text).toContain(still);
      expect(text).not.toContain('<script');
      expect(await optOuts(id)).toEqual([]);

      const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1] ?? '';
      const pressed = await fetch(new URL(action, linkOf(id)), {
        ...oneClick,
        headers: { ...form, ...headers },
      });
      expect(pressed.status).toBe(200);
      const pressedText = await pressed.text();
      expect(pressedText).toContain(done);
      expect(pressedText).toContain(still);
      expect(pressedText).toMatch(/<a href="[^"]*\/console\/alerts">/);
      expect(await optOuts(id)).toHaveLength(1);
    },
  );

  it('is JSON to a program, and changes nothing for it either', async () => {
    const answer = await fetch(linkOf(4));
    expect(await answer.json()).toEqual({ message: expect.stringContaining('would reach nobody else') });
    expect((await fetch(linkOf(4), { method: 'HEAD' })).status).toBe(200);
    expect(await optOuts(4)).toEqual([]);
  });
});

describe('turning off the mails to a member', () => {
  it('takes one click in a mail program, without session or cookie, and is told to identity', async () => {
    const answer = await fetch(linkOf(11), oneClick);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      success: true,
      message: expect.stringContaining('would reach nobody else'),
    });
    expect(await optOuts(11)).toEqual([{ staff_id: 11, at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    const outbox = notifier.db.collection('outbox');
    const unpublished = { type: 'staff.opted_out', published_at: null };
    await waitFor(async () => (await outbox.countDocuments(unpublished)) === 0);
  });

  it.each([
    ['JSON', 12, { headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['no body at all', 13, {}],
  ])('takes %s', async (_what, id, init) => {
    expect((await fetch(linkOf(id), { method: 'POST', ...init })).status).toBe(200);
    expect(await optOuts(id)).toHaveLength(1);
  });

  it('refuses the link of the person with the same id, who in turn is no member', async () => {
    notifier.users.set(21, aUser(21));
    const swapped = [
      `${notifier.publicUrl}/v1/alerts/off?token=${tokenOf(ofPeople.linkOf(21))}`,
      `${notifier.publicUrl}/v1/unsubscribe?token=${tokenOf(linkOf(21))}`,
    ];
    for (const url of swapped) {
      for (const init of [{}, oneClick]) {
        const answer = await fetch(url, init);
        expect([answer.status, await answer.json()]).toEqual([
          400,
          expect.objectContaining({ code: 'invalid_verification_token' }),
        ]);
      }
      const page = await fetch(url, { headers: browser });
      expect(page.status).toBe(400);
      expect(await page.text()).toContain('This link does not work');
    }
    expect([await optOuts(21), await ofPeople.optOuts(21)]).toEqual([[], []]);
    expect(await ofPeople.suppression(21)).toBeNull();
  });

  it.each(['', 'staff.1.', 'not-a-token', `staff.1.${'A'.repeat(22)}`])(
    'refuses the token "%s"',
    async (token) => {
      const answer = await fetch(`${notifier.publicUrl}/v1/alerts/off?token=${token}`, oneClick);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ success: false });
    },
  );
});
