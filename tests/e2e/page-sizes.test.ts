import { type Language, language } from '@casewatch/contracts';
import { createPartner, inMail, type Partner } from '@casewatch/driver';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { browserRoutes } from '../../services/gateway/test/support/browser-routes.ts';
import { changedCase } from '../support/page-data.ts';
import { createPersonBrowser, type PersonBrowser, signInWithBrowser } from '../support/person-browser.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

// What faces.md promises for an old phone and a slow network, of each page for people as it comes from the gateway.

/** Script and style together, as they are sent, bytes. */
const maxAssets = 8 * 1024;
/** The script alone, which only improves, bytes. */
const maxScript = 2 * 1024;
/** What arrives before the first acknowledgement: ten segments (RFC 6928), bytes. */
const roundTrip = 10 * 1_460;

const verifyLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;
const welcomeLink = /(https?:\/\/\S+\/welcome\?token=[^\s>)]+)/;

/** No pages: files, and what leads elsewhere. */
const noPages: readonly string[] = [
  ...['/data/download', '/cases/:case_ref/calendar', '/v1/calendar/:file', '/logos/:name'],
  ...['/sign-in', '/sign-out', '/data/delete'],
];
/** For firms and engineers. */
const ofOthers = /^\/(console|docs|problems|openapi|asyncapi)/;

describe('each page for people', () => {
  let at: DevFile;
  let partner: Partner;
  const stored = new Map<string, Promise<number>>();

  beforeAll(async () => {
    at = (await sharedSystem()).dev();
    partner = createPartner(at, at.partner);
  });

  /** Bytes of a file of ours, as a browser gets it. */
  async function sizeOf(path: string): Promise<number> {
    const answer = await fetch(new URL(path, at.gateway_url), { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('cache-control')).toContain('immutable');
    const length = Number(answer.headers.get('content-length'));
    expect(length).toBeGreaterThan(0);
    return length;
  }

  type Seen = { readonly headers: Headers; readonly text: string };

  /** What a page and all that it loads take. */
  async function measure({ headers, text }: Seen) {
    const lines = [...headers].map(([name, value]) => name.length + value.length + 4);
    const loaded = [
      ...text.matchAll(/<(?:link rel="stylesheet" href|script[^>]* src|img[^>]* src)="([^"]+)"/g),
    ];
    const files = loaded.map(([, path = '']) => path).filter((path) => !path.startsWith('/logos/'));
    const sizes = await Promise.all(
      files.map(async (path) => {
        const size = stored.get(path) ?? sizeOf(path);
        stored.set(path, size);
        return { path, size: await size };
      }),
    );
    const sum = (ofThese: typeof sizes) => ofThese.reduce((all, { size }) => all + size, 0);
    return {
      document: Buffer.byteLength(text) + lines.reduce((all, length) => all + length, 0),
      assets: sum(sizes),
      script: sum(sizes.filter(({ path }) => path.endsWith('.js'))),
      files: files.length,
      inline: /<script(?! type="module" src=)|\son\w+=/.test(text),
    };
  }

  /** What is too large, by page. */
  async function tooLarge(path: string, seen: Seen): Promise<string[]> {
    const { document, assets, script, files, inline } = await measure(seen);
    const found = [
      document > roundTrip && `the document has ${document} bytes`,
      assets > maxAssets && `script and style have ${assets} bytes`,
      script > maxScript && `the script has ${script} bytes`,
      files > 3 && `${files + 1} requests`,
      inline && 'it has script of its own',
    ];
    return found.filter((fault) => fault !== false).map((fault) => `${path}: ${fault}`);
  }

  /** A person with a case that changed, signed in; and the address of the case. */
  async function signedIn(name: Language) {
    const { id, email } = await partner.verifiedUser({ name: 'María Silva', preferred_language: name });
    const caseRef = await changedCase(at, partner, id);
    const { browser } = await signInWithBrowser(at, email);
    return { browser, caseRef };
  }

  const visitor = (name: Language) => createPersonBrowser(at, { 'accept-language': name });

  /** Links that still lead somewhere. */
  async function linksOf(name: Language): Promise<Record<string, string>> {
    const fresh = `sizes.${name}.${Date.now()}@sizes.example`;
    await visitor(name).post('/sign-in', { email: fresh });
    const { email } = await partner.newUser({ name: 'Ana', preferred_language: name });
    const searchIn = async (address: string, pattern: RegExp) =>
      new URL(await inMail(at, address, pattern)).search;
    return {
      '/welcome': await searchIn(fresh, welcomeLink),
      '/v1/users/verify-email': await searchIn(email, verifyLink),
    };
  }

  async function pageAt(path: string, browser: PersonBrowser) {
    const answer = await browser.get(path);
    expect([path, answer.headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
    return answer;
  }

  it.each(language.options)('comes in one round trip, with little style and script, in %s', async (name) => {
    const [{ browser, caseRef }, links] = [await signedIn(name), await linksOf(name)];
    const coming = visitor(name);
    await coming.post('/sign-in', { email: 'ana@sizes.example' });
    const pages = browserRoutes().filter(
      ({ method, path }) => method === 'GET' && !ofOthers.test(path) && !noPages.includes(path),
    );
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/',
        '/cases',
        '/cases/:case_ref',
        '/start',
        '/sign-in/code',
        '/v1/unsubscribe',
      ]),
    );
    const found: string[] = [];
    for (const { path } of pages) {
      const isLink = path.startsWith('/v1/') || path === '/welcome';
      const isOfNobody = isLink || ['/', '/signed-out', '/sign-in/code'].includes(path);
      const address = path.replace(':case_ref', caseRef) + (isLink ? (links[path] ?? '?token=none') : '');
      found.push(...(await tooLarge(path, await pageAt(address, isOfNobody ? coming : browser))));
    }
    found.push(...(await tooLarge('an error', await pageAt('/casos', coming))));
    expect(found).toEqual([]);
  });

  it('the first one comes in one round trip with all that it loads', async () => {
    const { document, assets, files } = await measure(await pageAt('/?language=es', visitor('es')));
    expect(files).toBe(3);
    expect(document + assets).toBeLessThanOrEqual(roundTrip);
  });
});
