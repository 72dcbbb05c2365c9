import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, type TestPartner } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const program = 'application/json';

/** The link in the mail to a new user, and whether it has proven the address. */
async function newLink() {
  const user = await makeUser(identity, partner, { preferred_language: 'es' });
  const mail = await notifier.mailTo(user.email);
  const { pathname, search } = new URL('link' in mail ? mail.link : '');
  const provenAt = async () =>
    (await identity.db.collection('users').findOne({ _id: user.id as never }))?.email_verified_at;
  return { link: pathname + search, provenAt };
}

describe('a verification link that is only looked at', () => {
  it.each([
    ['Outlook SafeLinks', { accept: '*/*', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) SafeLinks' }],
    ['Proofpoint', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }],
    ['Slack', { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0', range: 'bytes=0-32768' }],
    ['curl', { accept: '*/*', 'user-agent': 'curl/8.5.0' }],
    ['a program that names every application type', { accept: 'application/*' }],
    ['a program that refuses JSON', { accept: 'application/json;q=0, */*' }],
    ['a browser that fetches ahead', { accept: program, 'sec-purpose': 'prefetch;prerender' }],
    ['an older browser that fetches ahead', { accept: program, purpose: 'prefetch' }],
  ])('proves nothing: %s gets the page with the button', async (_who, headers) => {
    const { link, provenAt } = await newLink();
    const page = await identity.call('GET', link, { headers });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Confirmar mi correo electrónico');
    expect(await provenAt()).toBeNull();
  });

  it('proves nothing by HEAD, though it names JSON', async () => {
    const { link, provenAt } = await newLink();
    expect((await identity.call('HEAD', link, { headers: { accept: program } })).status).toBe(200);
    expect(await provenAt()).toBeNull();
  });

  it.each([program, 'text/plain, Application/JSON;q=0.5'])(
    'proves the address to a program: %s',
    async (accept) => {
      const { link, provenAt } = await newLink();
      const reply = await identity.call('GET', link, { headers: { accept } });
      expect(reply.body).toMatchObject({ success: true, verified: true, already_verified: false });
      expect(await provenAt()).toBeInstanceOf(Date);
    },
  );
});
