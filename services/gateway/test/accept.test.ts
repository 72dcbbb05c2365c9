import { type OpenApiDocument, type Operation, operations, problem } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from './support/start-gateway.ts';

const json = { method: 'POST', path: '/v1/auth/login-code', body: '{}' };
const page = { method: 'GET', path: '/v1/users/verify-email?token=x', body: null };

describe('what a caller takes', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const ask = ({ method, path, body }: typeof json | typeof page, accept: string) =>
    fetch(gateway.url + path, {
      method,
      headers: { accept, 'content-type': 'application/json' },
      ...(body !== null && { body }),
    });

  it.each([
    '*/*',
    '',
    'application/json',
    'application/*',
    'text/html, */*;q=0.1',
    'text/csv, application/json',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8, or so";q=0.5',
    'text/csv;header="a, b;c", application/json;version=1',
    'APPLICATION/JSON; Charset=UTF-8; Q=1',
    'application/json ; odata=verbose ; q=0.9 , */*;q=0',
  ])('has room for JSON: %s', async (accept) => {
    expect((await ask(json, accept)).status).toBe(200);
  });

  it.each([
    'text/html',
    'text/csv',
    'image/*',
    'application/json;q=0',
    'application/xml, text/html',
    'application/json; charset=utf-8; q=0',
    'text/html; a="application/json"',
  ])('has no room for JSON: %s', async (accept) => {
    gateway.seen.length = 0;
    const response = await ask(json, accept);
    const body = problem.parse(await response.json());
    expect([response.status, body.code, body.message]).toEqual([
      406,
      'not_acceptable',
      'Responses are application/json only; change the Accept header.',
    ]);
    expect(gateway.seen).toEqual([]);
  });

  it('may be a page where there is one, and nothing else', async () => {
    expect((await ask(page, 'text/html')).status).toBe(200);
    expect((await ask(page, 'application/json')).status).toBe(200);
    expect((await ask(page, 'text/html; level=1')).status).toBe(200);
    expect(gateway.seen.at(-1)?.headers.accept).toBe('text/html');
    expect((await ask(page, 'image/png')).status).toBe(406);
  });

  it('is described: what answers with a body, and does not take any request, may answer 406', async () => {
    const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenApiDocument;
    for (const { method, path, success, file, anyBody } of Object.values<Operation>(operations)) {
      const item = document.paths[path] ?? {};
      const responses = item[method.toLowerCase() as keyof typeof item]?.responses ?? {};
      const is = success.body !== null && !file && !anyBody;
      expect({ path, method, is: '406' in responses }).toEqual({ path, method, is });
    }
  });
});
