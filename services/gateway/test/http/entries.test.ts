import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

describe('a way in', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  const asked: string[] = [];
  beforeAll(async () => {
    gateway = await startTestGateway();
    gateway.identity.bus.serve('identity.console_link', async ({ link_token }) => {
      asked.push(link_token);
      const link = { partner_name: 'Santos <Law>', actor: 'maria@firm.example', read_only: false };
      return { link: link_token === 'good' ? link : null };
    });
    await gateway.identity.bus.connection.flush();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it('to the console says whose console opens, and for whom, before the button is pressed', async () => {
    const response = await fetch(`${gateway.url}/console/enter?token=good`);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain('the console of <b>Santos &lt;Law&gt;</b> for <b>maria@firm.example</b>');
    expect(page).toContain('<input type="hidden" name="token" value="good">');
  });

  it.each(['?token=used', '', '?token=', '?token=a&token=b', `?token=${'x'.repeat(300)}`])(
    'to the console with a link that opens nothing has no button: %s',
    async (query) => {
      const response = await fetch(`${gateway.url}/console/enter${query}`);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('<form method="post" action="/console/enter">');
      expect(asked.every((token) => token.length <= 256 && token !== '')).toBe(true);
    },
  );

  const signIn = async (next: string) => {
    Object.assign(gateway.answer, {
      status: 400,
      body: JSON.stringify({
        ...{ success: false, message: 'no', code: 'validation_failed', status: 400, title: 'BadRequest' },
        ...{ type: '/problems/validation_failed', detail: 'no', instance: 'urn:request:12345678' },
        ...{ request_id: '12345678', retryable: false, errors: [] },
      }),
    });
    const response = await fetch(`${gateway.url}/sign-in`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ email: 'no address', next }),
      redirect: 'manual',
    });
    const page = await response.text();
    return { status: response.status, next: /name="next" value="([^"]*)"/.exec(page)?.[1], page };
  };

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '%2F%2Fevil.example',
    '/%2Fevil.example',
    '/cases\r\nLocation: https://evil.example',
    '/cases/../../evil.example',
    '/\tevil.example',
    'javascript:alert(1)//evil.example',
    '/cases?to=//evil.example',
    '',
  ])('that is refused does not echo another site: %j', async (next) => {
    const answer = await signIn(next);
    expect([answer.status, answer.next]).toEqual([400, '/cases']);
    expect(answer.page).not.toContain('evil.example');
  });

  it('of a visitor without a session does not echo the query of the page', async () => {
    const page = await (await fetch(`${gateway.url}/cases?to=//evil.example`)).text();
    expect(/name="next" value="([^"]*)"/.exec(page)?.[1]).toBe('/cases');
    expect(page).not.toContain('evil.example');
  });

  it.each(['/settings', '/data', '/cases/new', '/cases/FLOW0000012'])(
    'that is refused keeps a page of ours: %s',
    async (next) => {
      expect(await signIn(next)).toMatchObject({ status: 400, next });
    },
  );
});
