import {
  type ErrorCode,
  errorCatalogue,
  htmlLanguage,
  type Language,
  language,
  problem,
  routesInOrder,
} from '@casewatch/contracts';
import {
  ApiError,
  createApp,
  createHttpServer,
  createLogger,
  type HttpServer,
  listen,
  newContext,
  securityHeaders,
} from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultTexts } from '../src/http/pages/fault-texts.ts';

const rows = routesInOrder();
const pagePaths = new Set(rows.filter((row) => row.page).map((row) => row.path));
const otherPaths = new Set(rows.map((row) => row.path).filter((path) => !pagePaths.has(path)));
const codes = Object.keys(errorCatalogue) as ErrorCode[];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const token = 'tok-9f2c-secret';

/** As browsers send it. */
const browsers = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html, application/xhtml+xml, image/jxr, */*',
  'text/html',
];
const programs = [
  '*/*',
  'application/json',
  'application/json, text/html',
  'application/problem+json',
  'text/html;q=0, */*',
  'text/html;q=0.5, application/json',
  'image/png',
];

/** What browsers send for each language, and one that has none of ours. */
const languages: [string, Language][] = [
  ['en-US,en;q=0.9', 'en'],
  ['es-MX,es;q=0.9,en;q=0.8', 'es'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['vi,zh;q=0.9', 'en'],
  ['*', 'en'],
];

let server: HttpServer;
let fault: ApiError;
beforeAll(async () => {
  const options = {
    log: createLogger('identity', 'silent'),
    contextOf: () => newContext(),
    headers: securityHeaders,
  };
  const app = createApp(options, (routes) => {
    routes.use(() => {
      throw fault;
    });
  });
  server = await listen(createHttpServer(app), '127.0.0.1', 0);
});
afterAll(() => server.stop(100));

async function ask(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}?token=${token}`, { method, headers });
  return { response, text: await response.text() };
}

const titleOf = (text: string) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1];

describe.each([...pagePaths])('an error of %s', (path) => {
  it.each(codes)('is a page for a browser, in its language: %s', async (code) => {
    fault = new ApiError(code, { message: 'Internal words.' });
    const titles = new Set<string | undefined>();
    for (const [acceptLanguage, is] of languages) {
      const { response, text } = await ask(path, {
        accept: browsers[0] ?? '',
        'accept-language': acceptLanguage,
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        errorCatalogue[code].status,
        'text/html; charset=utf-8',
      ]);
      expect(text).toContain(`<html lang="${htmlLanguage[is]}">`);
      expect(text).toContain(
        `${faultTexts[is].request_id}: <code>${response.headers.get('x-request-id')}</code>`,
      );
      for (const inside of [code, 'Internal words', token, '<script', 'undefined'])
        expect(text).not.toContain(inside);
      titles.add(titleOf(text));
    }
    expect(titles.size).toBe(language.options.length);
  });

  it.each(methods)(
    'is a page for each browser, with its own policy, and JSON for each program: %s',
    async (method) => {
      fault = new ApiError('service_unavailable');
      for (const accept of browsers) {
        const { response, text } = await ask(path, { accept }, method);
        const { headers, status } = response;
        expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([
          503,
          '5',
          'no-store',
        ]);
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(headers.get('content-security-policy')).toMatch(
          /^default-src 'none'; style-src 'unsafe-inline';[^,]*$/,
        );
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        if (method === 'HEAD') expect(text).toBe('');
        else expect(titleOf(text)).toBe(faultTexts.en.outage.title);
      }
      for (const accept of programs) {
        const { response, text } = await ask(path, { accept }, method);
        expect([response.status, response.headers.get('content-type')]).toEqual([
          503,
          `application/${accept.includes('problem') ? 'problem+json' : 'json'}; charset=utf-8`,
        ]);
        if (method !== 'HEAD') expect(problem.parse(JSON.parse(text)).code).toBe('service_unavailable');
      }
    },
  );

  it('has the same page with a slash at the end, and its link leads to the start page', async () => {
    fault = new ApiError('invalid_verification_token');
    for (const at of [path, `${path}/`]) {
      const { text } = await ask(at, { accept: 'text/html' });
      const href = /<a href="([^"]+)">Sign in</.exec(text)?.[1] ?? '';
      expect(new URL(href, `https://a.example/below${at}?token=x`).href).toBe(
        'https://a.example/below/?language=en',
      );
    }
  });
});

describe('a page of an error', () => {
  const [path = ''] = pagePaths;
  const titleAt = async (error: ApiError) => {
    fault = error;
    return titleOf((await ask(path, { accept: 'text/html' })).text);
  };

  it.each([[{ in: 'query' as const, parameter: 'token' }], [{ in: 'body' as const, pointer: '#/token' }]])(
    'says that the link is not complete where the token is not valid: %j',
    async (place) => {
      const faults = [{ ...place, code: 'required', message: 'is required' }];
      expect(await titleAt(new ApiError('validation_failed', { faults }))).toBe(faultTexts.en.link.title);
    },
  );

  it('does not blame the link for another field', async () => {
    const faults = [{ in: 'body' as const, pointer: '#/tokens', code: 'unknown_field', message: 'x' }];
    expect(await titleAt(new ApiError('validation_failed', { faults }))).toBe(faultTexts.en.request.title);
  });

  it.each([
    [1, 'en', 'wait a minute,'],
    [60, 'en', 'wait a minute,'],
    [61, 'en', 'wait 2 minutes,'],
    [3_600, 'es', 'Espere 60 minutos'],
    [12, 'es', 'Espere un minuto'],
    [150, 'pt', 'Espere 3 minutos'],
  ])('says how long to wait: after %d s, in %s', async (retryAfterS, is, words) => {
    fault = new ApiError('rate_limited', { retryAfterS });
    const { response, text } = await ask(path, { accept: 'text/html', 'accept-language': is });
    expect(response.headers.get('retry-after')).toBe(String(retryAfterS));
    expect(text).toContain(words);
  });

  it('keeps the methods that are allowed', async () => {
    fault = new ApiError('method_not_allowed', { headers: { allow: 'GET, HEAD' } });
    const { response } = await ask(path, { accept: 'text/html' }, 'PUT');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each([...otherPaths, '/v1/nothing', '/v1/unsubscribe/more', '/v1/unsubscribes', '/V1/UNSUBSCRIBE'])(
    'is nothing for an operation without pages, also for a browser: %s',
    async (other) => {
      fault = new ApiError('service_unavailable');
      const { response, text } = await ask(other.replaceAll(/[{}]/g, ''), { accept: browsers[0] ?? '' });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(problem.parse(JSON.parse(text)).status).toBe(503);
    },
  );
});
