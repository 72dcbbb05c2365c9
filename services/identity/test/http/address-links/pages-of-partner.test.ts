import type { Language } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { askedFor, signedIn, tokenIn } from '../../support/changing-address.ts';
import type { TestNotifier } from '../../support/notifier.ts';
import { admin, makePartner, makeUser, someAddress, type TestPartner } from '../../support/people.ts';
import { someNetworkAddress } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
useIdentity((started) => {
  ({ identity, notifier } = started);
});

const world = () => ({ identity, notifier });
const verify = '/v1/users/verify-email';
const undo = '/v1/users/undo-email-change';
const firmName = 'Santos & Partners';
const logo = 'aaaaaaaaaaaaaaaaaaaaaa.png';

/** A partner as its settings are; default: with a logo. */
async function firm(profile: Record<string, unknown> = {}, name = firmName): Promise<TestPartner> {
  const partner = await makePartner(identity, name);
  await identity.db
    .collection('partners')
    .updateOne({ _id: partner.as.partner_id as never }, { $set: { logo_name: logo, ...profile } });
  return partner;
}

async function linkOf(partner: TestPartner, preferred_language: Language = 'en') {
  const user = await makeUser(identity, partner, { preferred_language });
  return { user, token: await tokenIn(world(), 'verify_email', user.email) };
}

async function expire(userId: number): Promise<void> {
  const set = { expires_at: new Date(Date.now() - 1_000) };
  await identity.db.collection('email_verifications').updateOne({ user_id: userId }, { $set: set });
}

async function see(path: string, token: string): Promise<string> {
  return (await identity.call('GET', `${path}?token=${token}`, { headers: { accept: 'text/html' } })).text;
}

async function press(path: string, token: string): Promise<string> {
  return (await identity.call('POST', path, { form: { token }, headers: { accept: 'text/html' } })).text;
}

const headOf = (page: string) => /<header>(.*)<\/header>/.exec(page)?.[1];
const branded = `<img src="/logos/${logo}" alt=""><bdi>Santos &amp; Partners</bdi>`;
const ours = 'Casewatch';

describe('a page behind a link in a mail has the name and the logo of the client’s partner', () => {
  it('which asks to confirm the address, says so, and offers a new link', async () => {
    const { user, token } = await linkOf(await firm());
    expect(headOf(await see(verify, token))).toBe(branded);
    await expire(user.id);
    expect(headOf(await see(verify, token))).toBe(branded);
    const [sent, later] = [
      await press(`${verify}/new-link`, token),
      await press(`${verify}/new-link`, token),
    ];
    expect(sent).toContain('We sent a new link');
    expect(later).toContain('We sent an e-mail a short while ago');
    expect([headOf(sent), headOf(later)]).toEqual([branded, branded]);
    const fresh = await waitFor(async () => {
      const newest = await tokenIn(world(), 'verify_email', user.email);
      return newest !== token && newest;
    });
    const done = await press(verify, fresh);
    expect(done).toContain('Your e-mail address is confirmed');
    expect([headOf(done), headOf(await see(verify, fresh))]).toEqual([branded, branded]);
    const afterwards = await press(`${verify}/new-link`, token);
    expect(headOf(afterwards)).toBe(branded);
  });

  it('which confirms, stops and undoes a change of the address', async () => {
    const partner = await firm();
    const start = async () =>
      await signedIn(world(), await makeUser(identity, partner), partner.as.partner_id);
    const first = await askedFor(world(), await start());
    expect([headOf(first.page), headOf(await see(verify, first.prove))]).toEqual([branded, branded]);
    const stopped = await press(undo, first.stop);
    expect(stopped).toContain('The change was stopped');
    expect([headOf(stopped), headOf(await see(undo, first.stop))]).toEqual([branded, branded]);
    const second = await askedFor(world(), await start());
    expect(headOf(await press(verify, second.prove))).toBe(branded);
    const who = await start();
    const body = { email: someAddress() };
    await identity.call('PUT', `/v1/client/users/${who.id}`, { as: partner.as, body });
    const token = await tokenIn(world(), 'address_changed', who.email);
    expect(headOf(await see(undo, token))).toBe(branded);
    const undone = await press(undo, token);
    expect(undone).toContain('The change was undone');
    expect([headOf(undone), headOf(await see(undo, token))]).toEqual([branded, branded]);
  });

  it.each([
    ['en', 'wants to send you updates about your case through Casewatch', 'If you do not know'],
    ['es', 'quiere enviarle las novedades de su caso por medio de Casewatch', 'Si usted no conoce a'],
    ['pt', 'quer enviar a você as atualizações do seu caso pelo Casewatch', 'Se você não conhece'],
  ] as const)('with the reason of the mail, in %s', async (language, reason, stranger) => {
    const page = await see(verify, (await linkOf(await firm(), language)).token);
    const name = '<bdi>Santos &amp; Partners</bdi>';
    expect(page).toContain(`<p>${name} ${reason}`);
    expect(page).toContain(`${stranger} ${name}`);
  });

  it.each([
    ['without a logo', { logo_name: null }, '<bdi>Santos &amp; Partners</bdi>'],
    ['that is suspended', { status: 'suspended' }, branded],
  ])('%s, and its button works', async (_what, profile, head) => {
    const { token } = await linkOf(await firm(profile));
    expect(headOf(await see(verify, token))).toBe(head);
    expect(headOf(await press(verify, token))).toBe(head);
  });

  it.each([
    ['markup', '"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ['letters from right to left', 'משרד \u202eעורכי דין', 'משרד \u202eעורכי דין'],
  ])('whose name has %s: it is text, and turns nothing around it', async (_what, name, shown) => {
    const { token } = await linkOf(await firm({ logo_name: null }, name));
    const page = await see(verify, token);
    expect(headOf(page)).toBe(`<bdi>${shown}</bdi>`);
    expect(page).not.toContain('<img');
    expect(page.split(shown)).toHaveLength(4);
    expect(page.split(`<bdi>${shown}</bdi>`)).toHaveLength(4);
  });
});

describe('a page behind a link in a mail is ours', () => {
  it('for a person without a partner', async () => {
    const email = someAddress();
    const body = { email, name: 'Direct' };
    await identity.call('POST', '/v1/users', { body, address: someNetworkAddress() });
    const token = await tokenIn(world(), 'verify_email', email);
    const page = await see(verify, token);
    expect(headOf(page)).toBe(ours);
    expect(page).not.toContain('<img');
    expect(page).not.toContain('through Casewatch');
    expect(headOf(await press(verify, token))).toBe(ours);
  });

  it.each(['   ', '\u202e—'])('for a client of a partner whose name says nothing: %j', async (name) => {
    const { token } = await linkOf(await firm({ name }));
    const page = await see(verify, token);
    expect(headOf(page)).toBe(ours);
    expect(page).not.toContain('<bdi>');
  });

  it('for a link that is changed, and for one of a partner that was deleted', async () => {
    const partner = await firm({}, 'Leaving Santos');
    const { user, token } = await linkOf(partner);
    const changed = await see(verify, `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`);
    expect(changed).toContain('This link no longer works');
    expect(headOf(changed)).toBe(ours);
    const id = String(partner.as.partner_id);
    await admin(identity, 'partner', 'delete', id, '--name', 'Leaving Santos', '--now');
    const users = identity.db.collection('users');
    await waitFor(async () => (await users.countDocuments({ email: user.email })) === 0, {
      what: 'the erasure of the client',
      timeoutMs: 60_000,
    });
    for (const page of [await see(verify, token), await press(`${verify}/new-link`, token)]) {
      expect(page).toContain('This link no longer works');
      expect(headOf(page)).toBe(ours);
      expect(page).not.toContain('Santos');
    }
  });
});
