import { randomInt } from 'node:crypto';
import {
  approved,
  bearer,
  createPartner,
  inMail,
  mailsTo,
  newReceipt,
  received,
  send,
  setReceipt,
  signIn,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type System, sharedSystem } from '../support/system.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const kinds = ['verify', 'undo', 'unsubscribe'] as const;
type Kind = (typeof kinds)[number];

/** What else a mail program, a scanner or a person makes of `?token=…`; the token is whole. */
const harmless: [what: string, queryOf: (token: string) => string][] = [
  ['a campaign behind it', (token) => `?token=${token}&utm_source=mail&utm_medium=email`],
  ['a mark before it', (token) => `?fbclid=IwAR0&token=${token}`],
  ['a mark that is sent twice', (token) => `?token=${token}&mc_cid=a&mc_cid=b`],
  ['an empty rest', (token) => `?token=${token}&`],
  ['a fragment', (token) => `?token=${token}#top`],
];

/** The token is missing or changed. */
const broken: [what: string, queryOf: (token: string) => string][] = [
  ['nothing', () => ''],
  ['an empty query', () => '?'],
  ['only a campaign', () => '?utm_source=mail'],
  ['an empty token', () => '?token='],
  ['a name without a token', () => '?token'],
  ['a cut token', (token) => `?token=${token.slice(0, -6)}`],
  ['a token of one letter', (token) => `?token=${token.slice(0, 1)}`],
  ['a token and more', (token) => `?token=${token}xyz`],
  ['a token in a sentence', (token) => `?token=${token}.%22%3E`],
  ['the token twice', (token) => `?token=${token}&token=${token}`],
  ['a token that is too long', (token) => `?token=${token.padEnd(600, 'x')}`],
  ['garbage', () => '?token=%00%ff%3Cscript%3E'],
  ['an escaped ampersand', (token) => `?a=1&amp;token=${token}`],
];

describe('a link in a mail', () => {
  let system: System;
  const links = {} as Record<Kind, URL>;
  beforeAll(async () => {
    system = await sharedSystem();
    const dev = system.dev();
    const address = () => `touched.${randomInt(1, 1e9)}@links.example`;
    const [email, newEmail] = [address(), address()];
    await send(dev, 'POST', { path: '/v1/users', body: { email, name: 'Ana' } });
    const verify = /(\S+\/v1\/users\/verify-email\?token=\S+)/;
    links.verify = new URL(await inMail(dev, email, verify));

    const other = address();
    await send(dev, 'POST', { path: '/v1/users', body: { email: other, name: 'Rui' } });
    await inMail(dev, other, verify);
    const { access_token, user } = await signIn<{ id: number }>(dev, other);
    const change = { path: `/v1/users/${user.id}`, body: { email: newEmail }, as: bearer(access_token) };
    expect((await send(dev, 'PUT', change)).status).toBe(200);
    links.undo = new URL(await inMail(dev, other, /(\S+\/v1\/users\/undo-email-change\?token=\S+)/));

    const partner = createPartner(dev, dev.partner);
    const withCase = await partner.verifiedUser({ phone: `+1202555${randomInt(1_000, 10_000)}` });
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    await partner.call('POST', `/v1/client/users/${withCase.id}/cases`, {
      receipt_number: receipt,
      uscis_access_acknowledged: true,
    });
    await setReceipt(dev, receipt, approved);
    const header = await waitFor(
      async () =>
        (await mailsTo(dev, withCase.email)).flatMap(({ headers }) => headers['list-unsubscribe'] ?? [])[0],
      { what: 'the status mail' },
    );
    links.unsubscribe = new URL(/^<(.+)>$/.exec(header)?.[1] ?? '');
  });

  const tokenOf = (kind: Kind) => links[kind].searchParams.get('token') ?? '';
  const urlOf = (kind: Kind, query: string) => new URL(links[kind].pathname + query, links[kind]);

  async function ask(url: URL, init: RequestInit & { headers?: Record<string, string> } = {}) {
    const headers = { accept: browser, 'accept-language': 'es-MX,es;q=0.9', ...init.headers };
    const response = await fetch(url, { ...init, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** A page in Spanish with a way on, that repeats nothing of the request. */
  async function expectHelp({ status, headers, text }: Awaited<ReturnType<typeof ask>>, url: URL) {
    expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline';[^,]*$/,
    );
    expect(text).toMatch(/<html lang="es[^"]*">/);
    expect(text).toMatch(/<h1>Este enlace (no está completo|no funciona|ya no funciona)<\/h1>/);
    expect(text).not.toContain('<form');
    for (const token of new URLSearchParams(url.search).getAll('token').filter(Boolean))
      if (token.length > 1) expect(text).not.toContain(token);
    const start = new URL(/<a href="([^"]+)">Iniciar sesión<\/a>/.exec(text)?.[1] ?? 'none', url);
    expect((await ask(start)).text).toContain('action="/sign-in"');
  }

  describe.each(kinds)('to %s', (kind) => {
    it.each(broken)('is a page that helps, with %s', async (_what, queryOf) => {
      const url = urlOf(kind, queryOf(tokenOf(kind)));
      await expectHelp(await ask(url), url);
      // The addresses of the buttons: a scanner or an old page sends less than the whole form.
      const posts: [URL, string][] =
        kind === 'unsubscribe'
          ? [[url, 'List-Unsubscribe=One-Click']]
          : [[urlOf(kind, ''), new URLSearchParams(url.search).toString()]];
      if (kind === 'verify')
        posts.push([
          new URL(`${url.origin}${url.pathname}/new-link`),
          new URLSearchParams(url.search).toString(),
        ]);
      for (const [to, body] of posts) {
        const reply = await ask(to, { method: 'POST', headers: form, body });
        expect([reply.status, reply.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
        expect(reply.text).not.toContain('<form');
      }
      const program = await ask(url, { headers: { accept: 'application/json' } });
      expect([program.status, JSON.parse(program.text).status]).toEqual([400, 400]);
    });

    it.each(harmless)('works with %s', async (_what, queryOf) => {
      const { status, text } = await ask(urlOf(kind, queryOf(tokenOf(kind))));
      expect(status).toBe(200);
      expect(text).toContain('<form method="post"');
    });

    it('works with a slash behind its path', async () => {
      const url = new URL(`${links[kind].pathname}/${links[kind].search}`, links[kind]);
      expect((await ask(url)).status).toBe(200);
    });

    it('is a page also for HEAD without a token', async () => {
      const { status, headers, text } = await ask(urlOf(kind, ''), { method: 'HEAD' });
      // The link that proves an address to a program does nothing on HEAD, whatever its token is.
      expect([status, text]).toEqual([kind === 'verify' ? 200 : 400, '']);
      if (status === 400) expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    });

    if (kind === 'verify')
      it('has a way on where the page after the button for a new link is loaded again', async () => {
        const url = new URL(`${links[kind].origin}${links[kind].pathname}/new-link`);
        const { status, text } = await ask(url);
        const start = /<a href="([^"]+)">Iniciar sesión<\/a>/.exec(text)?.[1] ?? '';
        expect([status, new URL(start || 'none', url).pathname]).toEqual([405, '/']);
      });

    it('is a page for a method that is not there', async () => {
      const { status, headers, text } = await ask(links[kind], { method: 'DELETE' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
      expect(text).toContain('<html lang="es');
      expect(text).toContain(String(headers.get('x-request-id')));
    });
  });

  it.each(kinds)('that was touched has a button that works: %s', async (kind) => {
    const url = urlOf(kind, `?utm_source=mail&token=${tokenOf(kind)}&utm_medium=x`);
    const { text } = await ask(url);
    const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1] ?? '';
    const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
    const body = new URLSearchParams(
      fields.map(([, name = '', value = '']): [string, string] => [name, value]),
    ).toString();
    // An older phone's browser, from a page of `no-referrer`. The token proves it all; no session comes with it.
    const headers = { ...form, origin: 'null' };
    const pressed = await ask(new URL(action, url), { method: 'POST', headers, body });
    expect([pressed.status, pressed.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(pressed.text).not.toBe(text);
  });
});
