import { ApiError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };

describe('a code of six digits', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  const codes: string[] = [];
  beforeAll(async () => {
    gateway = await startTestGateway();
    const { bus } = gateway.identity;
    bus.serve('identity.staff_sign_in', async ({ code }) => {
      codes.push(code);
      throw new ApiError('invalid_login_code');
    });
    bus.serve('identity.request_entry', async () => ({ request_id: 'request-000000000', expires_in: 600 }));
    await bus.connection.flush();
    gateway.answer.bodyOf = ({ body }) => {
      codes.push(JSON.parse(body).code);
      return { status: 401, body: '{}' };
    };
  });
  afterAll(async () => {
    await gateway.stop();
  });
  beforeEach(() => {
    codes.length = 0;
  });

  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });

  const typed = ['067991', '067 991', '067-991', ' 067\u00a0991 ', '067\u2013991', '0 6 7 9 9 1'];

  it.each(typed)('may be typed into the form of members as %j', async (code) => {
    await post('/console/sign-in/code', { email: 'maria@firm.example', code });
    expect(codes).toEqual(['067991']);
  });

  it.each(typed)('may be typed into the form of people as %j', async (code) => {
    const asked = await post('/sign-in', { email: 'ana@example.com' });
    const cookie = asked.headers.getSetCookie().map((line) => line.split(';')[0]);
    await post('/sign-in/code', { code }, cookie.join('; '));
    expect(codes).toEqual(['067991']);
  });

  it('that has other characters is what was typed', async () => {
    await post('/console/sign-in/code', { email: 'maria@firm.example', code: '06799l' });
    expect(codes).toEqual(['06799l']);
  });
});
