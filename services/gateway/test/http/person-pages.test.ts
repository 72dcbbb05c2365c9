import type { ErrorCode, Language } from '@casewatch/contracts';
import { ApiError, toProblem } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

const time = '2026-11-23T12:00:00.000Z';
const logo = 'https://casewatch.example/logos/aaaaaaaaaaaaaaaaaaaaaa.png';

function userIn(preferred_language: Language) {
  return {
    ...{
      id: 7,
      partner_id: 1,
      partner_name: 'Santos & Partners',
      partner_logo_url: logo,
      email: 'maria@example.com',
      name: 'Maria',
    },
    ...{ phone: null, status: 'inactive' as const, preferred_language, notify_by_email: true },
    ...{ notify_by_whatsapp: false, whatsapp_consent_at: null, email_verified_at: time, version: 1 },
    ...{ created_at: time, updated_at: time },
  };
}

describe('a page of a person', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let cookie: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    gateway.identity.bus.serve('identity.user', async () => userIn('pt'));
    await gateway.identity.bus.connection.flush();
    cookie = `person=${gateway.identity.token()}; person-refresh=r`;
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const send = async (method: string, path: string, fields: Record<string, string> = {}) => {
    const body = method === 'POST' ? { body: new URLSearchParams(fields) } : {};
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const response = await fetch(gateway.url + path, { method, headers, redirect: 'manual', ...body });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const refuse = (code: ErrorCode) => {
    const error = new ApiError(code);
    Object.assign(gateway.answer, { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) });
  };

  it('asks for a new sign-in before a deletion, keeps the session, and leads back', async () => {
    refuse('reauthentication_required');
    const { status, headers, text } = await send('POST', '/data/delete', { confirm: 'on' });
    expect([status, headers.getSetCookie()]).toEqual([401, []]);
    expect(text).toContain('<h1>Entre de novo</h1>');
    expect(text).toContain('name="email" value="maria@example.com"');
    expect(text).toContain('name="next" value="/data"');
  });

  it.each([
    ['case_not_found', 404, 'Este caso não está na sua conta.'],
    ['service_unavailable', 503, 'Isto não funciona no momento.'],
    ['rate_limited', 429, 'Espere um minuto'],
  ] as const)('says %s in the language and the words of the person', async (code, status, sentence) => {
    refuse(code);
    const page = await send('GET', '/cases/FLOW0000001');
    expect([page.status, page.text.includes(sentence)]).toEqual([status, true]);
    expect(page.text).toContain('<html lang="pt">');
    expect(page.text).toContain(
      '<img class="logo" src="/logos/aaaaaaaaaaaaaaaaaaaaaa.png" alt="">Santos &amp; Partners',
    );
  });

  it('shows a notice only while it is true: the address of the page keeps it', async () => {
    Object.assign(gateway.answer, { status: 200, body: JSON.stringify({ cases: [], next_cursor: null }) });
    const pages = await Promise.all(['paused', 'resumed'].map((done) => send('GET', `/cases?done=${done}`)));
    expect(pages.map(({ text }) => text.includes('class="notice good"'))).toEqual([false, true]);
    for (const { text } of pages) expect(text).toContain('Escrevemos para maria@example.com');
  });

  it('says that an account is switched off, with the button that switches it on', async () => {
    const page = await send('GET', '/settings');
    expect(page.text).toContain('A sua conta está desativada.');
    expect(page.text).toContain('action="/settings/activate"');
  });

  it('forgets a session that has ended, and asks for the address', async () => {
    gateway.identity.revoke('session', 'session-7');
    const page = await waitFor(
      async () => {
        const answer = await send('GET', '/settings');
        return answer.status === 401 && answer;
      },
      { what: 'the end of the session' },
    );
    expect(page.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([
      'person=',
      'person-refresh=',
    ]);
    expect(page.text).toContain('name="next" value="/settings"');
  });
});
