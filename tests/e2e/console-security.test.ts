import { createPartner, newReceipt, type PartnerKeys, setReceipt, titled } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Console, consoleLink, consoleWith, cookieOf, enterConsole } from '../support/console.ts';
import { operator } from '../support/operator.ts';
import { type DevFile, type System, sharedSystem } from '../support/system.ts';

describe('the console', () => {
  let system: System;
  let at: DevFile;
  let keys: PartnerKeys;
  let opened: Console;
  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    keys = at.partner;
    opened = await enterConsole(at, await consoleLink(at, keys));
  });

  it('opens once with a link, and asks before it opens: a program that follows links does not use it up', async () => {
    const link = await consoleLink(at, keys);
    const page = await fetch(link);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<button class="button primary" type="submit">');
    const first = await enterConsole(at, link);
    expect((await first.get('/console')).status).toBe(200);
    const token = new URL(link).searchParams.get('token') ?? '';
    const again = await consoleWith(at, '').post('/console/enter', { token });
    expect(again.status).toBe(401);
    // The session that the browser has stays.
    expect(cookieOf(again.headers)).toBe('');
  });

  it('refuses a forged link and a forged cookie', async () => {
    const forged = await consoleWith(at, '').post('/console/enter', { token: 'a.b' });
    expect(forged.status).toBe(401);
    for (const cookie of ['console=a.1.b', `console=${'a'.repeat(600)}`, `staff=${'a'.repeat(600)}`])
      expect((await consoleWith(at, cookie).get('/console')).status).toBe(401);
    expect((await consoleWith(at, '').get('/console/cases')).status).toBe(401);
  });

  it('gives a new session at sign-in and ends the former session (fixation)', async () => {
    const former = await enterConsole(at, await consoleLink(at, keys));
    const next = await enterConsole(at, await consoleLink(at, keys), former.cookie);
    expect(next.cookie).not.toBe(former.cookie);
    expect((await next.get('/console')).status).toBe(200);
    await waitFor(async () => (await former.get('/console')).status === 401, {
      what: 'the end of the former',
    });
    const chosen = await enterConsole(at, await consoleLink(at, keys), 'console=chosen.1.by-an-attacker');
    expect(chosen.cookie).not.toContain('chosen');
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another origin, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['nowhere', {}],
  ])('refuses a form from %s, and changes nothing', async (_where, headers) => {
    const answer = await opened.post(
      '/console/settings',
      { logo_url: 'https://evil.example/logo.png' },
      headers,
    );
    expect(answer.status).toBe(403);
    const { body } = await createPartner(at, keys).call<{ client: { logo_url: string | null } }>(
      'GET',
      '/v1/client/profile',
    );
    expect(body.client.logo_url).not.toBe('https://evil.example/logo.png');
  });

  it('cannot be framed, loads nothing from elsewhere, is not stored, and its cookie is closed to scripts', async () => {
    const { headers } = await opened.get('/console');
    const policy = headers.get('content-security-policy');
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "script-src 'self'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    const token = new URL(await consoleLink(at, keys)).searchParams.get('token') ?? '';
    const entered = await consoleWith(at, '').post('/console/enter', { token });
    expect(entered.headers.getSetCookie()[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('goes only to its own pages, whatever its address says', async () => {
    const token = new URL(await consoleLink(at, keys)).searchParams.get('token') ?? '';
    const entered = await consoleWith(at, '').post('/console/enter?next=https://evil.example', {
      token,
      next: '//evil.example',
    });
    expect(entered.status).toBe(303);
    expect(entered.headers.get('location')).toBe('/console');
    for (const path of ['//evil.example', '/console//evil.example', '/console/%2F%2Fevil.example']) {
      const { headers } = await opened.get(path);
      expect(headers.get('location')).toBeNull();
    }
  });

  it('signs out: the cookie is dead and the browser drops what it kept', async () => {
    const session = await enterConsole(at, await consoleLink(at, keys));
    const out = await session.post('/console/sign-out', {});
    expect(out.status).toBe(303);
    expect(out.headers.get('clear-site-data')).toBe('"cache"');
    expect(cookieOf(out.headers)).toBe('console=');
    await waitFor(async () => (await session.get('/console')).status === 401, {
      timeoutMs: 30_000,
      what: 'the end',
    });
  });

  it('ends with its key, and has no more scopes than its key', async () => {
    const { key } = await operator<{ key: PartnerKeys }>(
      system.dataDir,
      ...['key', 'create', '--partner', '2', '--scopes', 'keys,cases:read'],
    );
    const session = await enterConsole(at, await consoleLink(at, key));
    expect((await session.get('/console/cases')).status).toBe(200);
    expect((await session.get('/console')).status).toBe(200);
    expect((await session.get('/console/overview')).status).toBe(403);
    const users = await session.get('/console/users');
    expect(users.status).toBe(403);
    expect(users.text).not.toContain('href="/console/users"');
    await operator(system.dataDir, 'key', 'revoke', '--key', String(key.id));
    await waitFor(async () => (await session.get('/console/cases')).status !== 200, {
      timeoutMs: 30_000,
      what: 'the end',
    });
    expect((await session.get('/console/cases')).status).toBe(401);
  });

  it('read-only shows no key and no secret, and changes nothing', async () => {
    const session = await enterConsole(at, await consoleLink(at, keys, { read_only: true }));
    expect((await session.get('/console/users')).status).toBe(200);
    expect((await session.get('/console/keys')).status).toBe(403);
    expect((await session.get('/console/webhooks')).status).toBe(403);
    const refused = await session.post('/console/users/new', { name: 'A', email: 'a@example.com' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('This session is read-only.');
  });

  it('shows what callers typed as text, in every field (stored XSS)', async () => {
    const partner = createPartner(at, keys);
    const attack = `"'><img src=x onerror=alert(1)>`;
    const user = await partner.newUser({ name: `Name ${attack}` });
    const receipt = newReceipt();
    await setReceipt(at, receipt, { ...titled(`Status ${attack}`), form_type: 'I-130' });
    const row = await partner.newCase(user.id, receipt, {
      description: `Case ${attack}`,
    });
    const hook = await partner.call<{ webhook: { id: number } }>('POST', '/v1/webhooks', {
      url: `${at.receiver_url}/hooks/x?q=%3Cimg%20src=x%20onerror=alert(1)%3E`,
      events: ['*'],
      description: `Hook ${attack}`,
      headers: { 'X-Img': '<img src=x onerror=alert(1)>' },
    });
    const actor = await enterConsole(at, await consoleLink(at, keys, { actor: `Actor ${attack}` }));
    const paths = [
      ...['/console', '/console/users', `/console/users/${user.id}`, `/console/users/${user.id}/edit`],
      ...['/console/cases', `/console/cases/${row.id}`, '/console/webhooks', '/console/events'],
      ...[`/console/webhooks/${hook.body.webhook.id}`, `/console/webhooks/${hook.body.webhook.id}/edit`],
      `/console/cases?receipt_number=${encodeURIComponent(attack)}`,
      `/console/users?email=${encodeURIComponent(attack)}`,
    ];
    const pages = await Promise.all(paths.map((path) => actor.get(path)));
    for (const { text } of pages) expect(text).not.toMatch(/<img/i);
    expect(pages.filter(({ text }) => text.includes('&lt;img src=x')).length).toBeGreaterThan(5);
    const again = await actor.post('/console/users/new', { name: attack, email: attack });
    expect(again.status).toBe(400);
    expect(again.text).not.toMatch(/<img/i);
    await partner.call('DELETE', `/v1/webhooks/${hook.body.webhook.id}`);
  });

  it('keeps what was typed and names the field that needs a change', async () => {
    const { status, text } = await opened.post('/console/users/new', {
      name: 'Ana Silva',
      email: 'not an address',
    });
    expect(status).toBe(400);
    expect(text).toContain('This must be an e-mail address.');
    expect(text).toContain('value="Ana Silva"');
    expect(text).toMatch(/id="f-email"[^>]*aria-invalid="true"/);
  });

  it('creates one thing of a form that is sent twice', async () => {
    const fields = {
      name: 'Twice',
      email: `twice.${Date.now()}@example.com`,
      idempotency_key: `once-${Date.now()}`,
    };
    const [first, second] = [
      await opened.post('/console/users/new', fields),
      await opened.post('/console/users/new', fields),
    ];
    expect(first.status).toBe(303);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
  });

  it('has script and style of at most 20 KB together, with names that change with their content', async () => {
    const { text } = await opened.get('/console');
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files).toHaveLength(3);
    let bytes = 0;
    for (const path of files) {
      const answer = await fetch(new URL(path, at.gateway_url), { headers: { 'accept-encoding': 'br' } });
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      bytes += Number(answer.headers.get('content-length'));
    }
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(20 * 1024);
  });
});
