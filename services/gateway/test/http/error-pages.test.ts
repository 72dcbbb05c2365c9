import {
  type ErrorCode,
  errorCatalogue,
  htmlLanguage,
  type Language,
  language,
  scopes,
} from '@casewatch/contracts';
import { ApiError, faultTexts, toProblem } from '@casewatch/platform';
import { aPerson, servePeople } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consolePages } from '../../src/pages/console/pages.ts';
import { peopleErrorView } from '../../src/pages/people/frame.ts';
import { peoplePages } from '../../src/pages/people/pages.ts';
import { errorTexts } from '../../src/pages/people/texts/error-texts.ts';
import { type BrowserRoute, browserRoutes, routesIn } from '../support/browser-routes.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];
const routes = browserRoutes();
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const unlimited = {
  RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  RATE_LIMIT_PARTNER_PER_MINUTE: '1000000',
};
/** Of users 7, 8 and 9. */
const speaks: Readonly<Record<number, Language>> = { 7: 'en', 8: 'es', 9: 'pt' };
const time = '2099-01-01T00:00:00.000Z';

/** Of a route, or of a method that it does not have. */
type Asked = { readonly method: string; readonly path: string };

const values: Readonly<Record<string, string>> = {
  case_ref: 'FLOW0000001',
  delivery_id: 'd',
  name: `${'a'.repeat(22)}.png`,
};
const addressOf = (path: string) =>
  path.replaceAll(/:(\w+)|\{(\w+)\}/g, (_, name: string) => values[name] ?? '8');

/** The service behind and identity answer as `startTestGateway` says; three people and a console are signed in. */
async function startWithSessions(settings: Record<string, string> = unlimited) {
  const gateway = await startTestGateway((origin) => ({ NOTIFIER_URL: origin, ...settings }));
  const { bus, token } = gateway.identity;
  servePeople(bus, (id) => aPerson(id, { preferred_language: speaks[id] ?? 'en' }));
  bus.serve('identity.console_session', async (request) => ({
    token: request.token,
    principal: { kind: 'partner', partner_id: 1, key_id: '1', scopes: [...scopes] },
    ...{ session_id: 'console-1', actor: 'Ana', read_only: false, renew_at: time, expires_at: time },
    ...{ partner_name: 'Santos & Partners', partner_logo_url: null },
  }));
  await bus.connection.flush();
  const cookieOf = (path: string, user: number) =>
    path.startsWith('/console') ? 'console=all' : `person=${token({ sub: String(user) })}; person-refresh=r`;

  type Init = RequestInit & { readonly headers?: Readonly<Record<string, string>> };
  async function ask({ method, path }: Asked, user: number, init: Init = {}) {
    const headers = {
      accept,
      'accept-language': speaks[user] ?? 'en',
      'sec-fetch-site': 'same-origin',
      cookie: cookieOf(path, user),
      ...init.headers,
    };
    const form = method === 'POST' ? { body: new URLSearchParams() } : {};
    const response = await fetch(gateway.url + addressOf(path), {
      redirect: 'manual',
      method,
      ...form,
      ...init,
      headers,
    });
    return await read(response);
  }
  return { gateway, ask };
}

async function read(response: Response) {
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), text: await response.text() };
}

type Answer = Awaited<ReturnType<typeof read>>;

/** What is wrong with an answer to a browser. Undefined: nothing, or it leads elsewhere. */
function faultOf({ status, type, text }: Answer, spoken: Language): string | undefined {
  if (status === 303) return undefined;
  if (type !== 'text/html; charset=utf-8') return `${status} is ${type}`;
  if (!text.includes(`<html lang="${htmlLanguage[spoken]}">`)) return `${status} is not in ${spoken}`;
  if (!/<h1[ >]/.test(text)) return `${status} has no heading`;
  return /"request_id":|"retryable":|application\/json/.test(text) ? `${status} shows JSON` : undefined;
}

const spokenAt = (path: string, user: number): Language =>
  path.startsWith('/console') ? 'en' : (speaks[user] ?? 'en');

describe('the routes that a browser can reach', () => {
  it('are found, whichever way they are mounted', () => {
    const found = routes.map(({ method, path }) => `${method} ${path}`);
    expect(found).toEqual(
      expect.arrayContaining([
        ...['GET /', 'GET /sign-in', 'POST /sign-out', 'GET /welcome', 'GET /signed-out', 'GET /cases'],
        ...['GET /console/cases.csv', 'POST /console/second-factor/off', 'GET /v1/calendar/:file'],
        ...['GET /docs/guide/webhooks', 'GET /logos/:name', 'GET /v1/unsubscribe'],
        ...['GET /console/sign-in/second-factor', 'POST /data/delete', 'GET /problems/rate_limited'],
      ]),
    );
  });

  it('are not overlooked: a way that cannot be read is a fault', () => {
    expect(() => routesIn('a.ts', 'app.get(somewhere, handler)')).toThrow('a.ts');
    const mount = (name: string) => `app.post(\`\${${name}}/x\`, handler)`;
    expect(() => routesIn('a.ts', mount('there'))).toThrow('a.ts');
    expect(routesIn('a.ts', `const here = '/a'; ${mount('here')}`)).toEqual([
      { method: 'POST', path: '/a/x' },
    ]);
  });
});

describe('what a service refuses', () => {
  let started: Awaited<ReturnType<typeof startWithSessions>>;
  beforeAll(async () => {
    started = await startWithSessions();
  });
  afterAll(() => started.gateway.stop());

  const refuseAll = (code: ErrorCode) => {
    const error = new ApiError(code, { message: 'Words for engineers.' });
    started.gateway.answer.bodyOf = () => ({
      status: error.status,
      body: JSON.stringify(toProblem(error, 'r-12345678')),
    });
  };

  // The languages take turns; what each code says in each language is below.
  it.each(codes.map((code, i) => [code, 7 + (i % 3)] as const))(
    'is a page for a person, in the language of the person: %s',
    async (code, user) => {
      refuseAll(code);
      const found: string[] = [];
      let refusals = 0;
      for (const { method, path } of peoplePages) {
        const answer = await started.ask({ method, path }, user);
        const fault = faultOf(answer, spokenAt(path, user));
        if (fault) found.push(`${method} ${path}: ${fault}`);
        if (answer.text.includes('Words for engineers')) found.push(`${method} ${path}: words for engineers`);
        if (answer.status === errorCatalogue[code].status) refusals += 1;
      }
      expect(found).toEqual([]);
      expect(refusals).toBeGreaterThan(3);
    },
  );

  /** One code for each status: the console shows the sentence of the service. */
  const oneOfEach = [...new Map(codes.map((code) => [errorCatalogue[code].status, code])).values()];

  it.each(oneOfEach)('is a page of the console: %s', async (code) => {
    refuseAll(code);
    const found: string[] = [];
    for (const { method, path } of consolePages) {
      const fault = faultOf(await started.ask({ method, path }, 7), 'en');
      if (fault) found.push(`${method} ${path}: ${fault}`);
    }
    expect(found).toEqual([]);
  });
});

describe('what the gateway refuses', () => {
  let started: Awaited<ReturnType<typeof startWithSessions>>;
  beforeAll(async () => {
    started = await startWithSessions();
  });
  afterAll(() => started.gateway.stop());

  const posts = routes.filter(({ method, path }) => method === 'POST' && !path.startsWith('/v1/'));
  const all = routes.filter(({ path }) => !path.startsWith('/v1/calendar'));

  it.each([
    ['a form that is too large', 413, { body: new URLSearchParams({ a: 'x'.repeat(17_000) }) }],
    ['a form of another type', 415, { body: '<a/>', headers: { 'content-type': 'application/xml' } }],
    ['a form of another site', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
  ] as const)('is a page: %s', async (_what, refusal, init) => {
    const found: string[] = [];
    const seen = new Set<number>();
    for (const route of posts) {
      const answer = await started.ask(route, 8, init);
      seen.add(answer.status);
      // What reads no form does what it does, and leads on.
      const isRefused = answer.status >= 400 || (answer.status === 303 && refusal !== 403);
      const fault = isRefused ? faultOf(answer, spokenAt(route.path, 8)) : String(answer.status);
      if (fault) found.push(`${route.path}: ${fault}`);
    }
    expect(found).toEqual([]);
    expect(seen).toContain(refusal);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
    'is a page at every address: the method %s where it is not known',
    async (method) => {
      const found: string[] = [];
      for (const { path } of all) {
        if (routes.some((route) => route.method === method && route.path === path)) continue;
        const answer = await started.ask({ method, path }, 9);
        if (![404, 405].includes(answer.status)) found.push(`${path}: ${answer.status}`);
        const fault = faultOf(answer, spokenAt(path, 9));
        if (fault) found.push(`${path}: ${fault}`);
      }
      expect(found).toEqual([]);
    },
  );

  it.each(['%E0%A4%A', '%', '%00%', '%c0%af%'])('is a page below every address: /%s', async (broken) => {
    const roots = [...new Set(['', ...all.filter(({ method }) => method === 'GET').map(({ path }) => path)])];
    const found: string[] = [];
    for (const root of roots.filter((path) => !path.startsWith('/v1/'))) {
      const path = `${root.replace(/\/$/, '')}/${broken}`;
      const answer = await started.ask({ method: 'GET', path }, 8);
      if (![400, 404].includes(answer.status)) found.push(`${path}: ${answer.status}`);
      // A path that cannot be read is of no page of the console, which speaks English.
      const fault = faultOf(answer, answer.status === 404 ? spokenAt(path, 8) : 'es');
      if (fault) found.push(`${path}: ${fault}`);
    }
    expect(found).toEqual([]);
  });
});

describe('a browser whose requests are too many', () => {
  let started: Awaited<ReturnType<typeof startWithSessions>>;
  beforeAll(async () => {
    const one = Object.fromEntries(Object.keys(unlimited).map((name) => [name, '1']));
    started = await startWithSessions(one);
  });
  afterAll(() => started.gateway.stop());

  it('gets a page that says how long to wait, at every page', async () => {
    const found: string[] = [];
    const pages = routes.filter(({ path }) => !/^\/(v1\/calendar|docs|problems|openapi|asyncapi)/.test(path));
    for (const route of pages) {
      // The first one takes what there is.
      await started.ask(route, 8);
      const answer = await started.ask(route, 8);
      if (answer.status !== 429) found.push(`${route.method} ${route.path}: ${answer.status}`);
      const fault = faultOf(answer, spokenAt(route.path, 8));
      if (fault) found.push(`${route.method} ${route.path}: ${fault}`);
    }
    expect(found).toEqual([]);
  });
});

describe('while identity is away', () => {
  let started: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    started = await startTestGateway(unlimited);
  });
  afterAll(() => started.stop());

  it('a browser gets a page in its language that says so, wherever identity is asked', async () => {
    const cookie = `person=${started.identity.token()}; console=all; staff-sign-in-step=x`;
    const found: string[] = [];
    let outages = 0;
    const visit = async ({ method, path }: BrowserRoute) => {
      const form = { email: 'ana@example.com', token: 'a-token', code: '123456' };
      const response = await fetch(`${started.url}${addressOf(path)}?token=a-token`, {
        method,
        redirect: 'manual',
        headers: { accept, 'accept-language': 'es', 'sec-fetch-site': 'same-origin', cookie },
        ...(method === 'POST' && { body: new URLSearchParams(form) }),
      });
      const answer = await read(response);
      if (answer.status < 400) return;
      if (answer.status === 503) outages += 1;
      const fault = faultOf(answer, path.startsWith('/console') ? 'en' : 'es');
      if (fault) found.push(`${method} ${path}: ${fault}`);
    };
    // Together, because each waits until identity is given up; as many as one address may have connections.
    const waiting = routes.filter(({ path }) => !path.startsWith('/v1/'));
    while (waiting.length > 0) await Promise.all(waiting.splice(0, 60).map(visit));
    expect(found).toEqual([]);
    expect(outages).toBeGreaterThan(peoplePages.length + consolePages.length);
  });
});

describe.each(language.options)('the page of an error says in %s', (name) => {
  const sentences = (of: Language) => {
    const { codes: known, tooMany } = errorTexts[of];
    const { tooMany: _, ...general } = faultTexts[of].ofPage;
    return [...new Set([...Object.values(known), tooMany(1), ...Object.values(general)])];
  };
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;');
  const pageOf = (code: ErrorCode) =>
    peopleErrorView(new ApiError(code, { message: 'Words for engineers.' }), {
      ...{ session: null, language: name, url: '/cases', requestId: 'r-12345678' },
    }).main.html;

  it.each(codes)('%s', (code) => {
    const page = pageOf(code);
    const said = sentences(name).filter((sentence) => page.includes(`<p>${escaped(sentence)}</p>`));
    expect(said).toHaveLength(1);
    const { status } = errorCatalogue[code];
    // Who sent something wrong must not wait for us, and our fault is nobody else's.
    const isOurs = said[0] === errorTexts[name].codes.internal_error;
    const isTheirs = said[0] === faultTexts[name].ofPage.request;
    expect({ isOurs, isTheirs: isTheirs && status >= 500 }).toEqual({
      isOurs: status === 500,
      isTheirs: false,
    });
    expect(page).not.toContain(code);
    expect(page).not.toContain('Words for engineers');
  });
});
