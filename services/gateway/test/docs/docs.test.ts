import { createHash } from 'node:crypto';
import { errorCatalogue, type OpenApiDocument, problem, routesInOrder } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { startTestGateway } from '../support/start-gateway.ts';

describe('the document and its pages', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let document: OpenApiDocument;
  beforeAll(async () => {
    gateway = await startTestGateway();
    document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenApiDocument;
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it('are the same as JSON and as YAML, for five minutes in caches, with a tag', async () => {
    const yaml = await fetch(`${gateway.url}/openapi.yaml`);
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(yaml.headers.get('cache-control')).toBe('public, max-age=300');
    expect(parse(await yaml.text())).toEqual(document);
    expect(document.servers[0]?.url).toBe('http://gateway.test');
    const tag = yaml.headers.get('etag') ?? '';
    // With its cache mode left alone, fetch would ask intermediaries not to compare tags.
    const again = await fetch(`${gateway.url}/openapi.yaml`, {
      headers: { 'if-none-match': tag },
      cache: 'force-cache',
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('describe every method that is served, and no other', async () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const address = gateway.url + path.replaceAll(/\{[a-z_]+\}/g, '1');
      const refused = await fetch(address, { method: 'PATCH' });
      const allowed = (refused.headers.get('allow') ?? '').split(', ');
      const served = allowed.filter((method) => method !== 'HEAD' && method !== 'OPTIONS');
      expect({ path, served: served.map((method) => method.toLowerCase()).sort() }).toEqual({
        path,
        served: Object.keys(item).sort(),
      });
    }
  });

  it('explain every operation at its own place in the reference', async () => {
    const page = await (await fetch(`${gateway.url}/docs`)).text();
    for (const { name, summary } of routesInOrder()) {
      expect(page).toContain(`<article id="${name}">`);
      expect(page).toContain(`<a href="#${name}">${summary.replaceAll("'", '&#39;')}</a>`);
      for (const language of ['curl', 'Node.js', 'Python'])
        expect(page).toContain(`aria-label="${summary.replaceAll("'", '&#39;')} with ${language}"`);
    }
    const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    expect(anchors.filter((anchor) => !targets.has(anchor))).toEqual([]);
    expect([...page.matchAll(/ id="([^"]+)"/g)]).toHaveLength(targets.size);
  });

  it.each(['/', '/docs', '/problems/case_already_monitored'])(
    'need nothing from elsewhere: %s',
    async (path) => {
      const response = await fetch(gateway.url + path);
      const page = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      const loaded = [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map((match) => match[1] ?? '');
      expect(loaded.length).toBeGreaterThan(3);
      // Our own paths (not `//host`), places on the page, and the icon that stands in the page itself.
      expect(loaded.filter((address) => !/^(\/(?!\/)|#|data:image\/svg)/.test(address))).toEqual([]);
      expect(page).not.toMatch(/<script[^>]|@import|url\(| style=| on[a-z]+=|fetch\(\W*\/|XMLHttpRequest/i);
    },
  );

  it('let a browser apply their one style sheet, run the one script of the reference, and do nothing else', async () => {
    const response = await fetch(`${gateway.url}/docs`);
    const page = await response.text();
    const [style, script] = ['style', 'script'].map((tag) => {
      const text = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? '';
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    });
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${style}; script-src ${script}; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(await (await fetch(`${gateway.url}/`)).text()).not.toContain('<script');
  });

  it('come compressed to a reader that takes it', async () => {
    const ask = (encoding: string) =>
      fetch(`${gateway.url}/docs`, { headers: { 'accept-encoding': encoding } });
    const [plain, compressed] = [await ask('identity'), await ask('br')];
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(60_000);
    expect(await compressed.text()).toBe(await plain.text());
  });

  it('say of each error code what it means and which operations answer it', async () => {
    for (const [code, { status }] of Object.entries(errorCatalogue)) {
      const response = await fetch(`${gateway.url}/problems/${code}`);
      const page = await response.text();
      expect([code, response.status, page.includes(`<td>${status} `)]).toEqual([code, 200, true]);
    }
    const page = await (await fetch(`${gateway.url}/problems/case_already_monitored`)).text();
    expect(page).toContain('href="/docs#create_partner_case"');
    expect(page).not.toContain('href="/docs#list_webhooks"');
  });

  it('answer 404 for a code that is not in the catalogue and 405 for another method', async () => {
    const unknown = await fetch(`${gateway.url}/problems/constructor`);
    expect([unknown.status, problem.parse(await unknown.json()).code]).toEqual([404, 'route_not_found']);
    const wrong = await fetch(`${gateway.url}/docs`, { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
