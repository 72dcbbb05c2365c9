import { ApiError } from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

const origin = 'http://gateway.test';

/** Of a policy with several names browsers take the last that they know. Without Fetch Metadata, a page of `no-referrer` says `null`. */
const originSentBy = (policy: string) =>
  policy
    .split(',')
    .map((name) => name.trim())
    .at(-1) === 'no-referrer'
    ? 'null'
    : origin;

describe('a page that a link in a mail leads to', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
    const { bus } = gateway.identity;
    const refuse = async () => {
      throw new ApiError('invalid_verification_token');
    };
    bus.serve('identity.welcome', async () => ({ welcome: { email: 'a@b.example', has_account: false } }));
    bus.serve('identity.open_account', refuse);
    bus.serve('identity.invitation', async () => ({
      invitation: { partner_name: 'Firm', name: 'Ana', role: 'viewer' as const },
    }));
    bus.serve('identity.accept_invitation', refuse);
    bus.serve('identity.reply_to', async () => ({ request: { partner_name: 'Firm', email: 'a@b.example' } }));
    bus.serve('identity.confirm_reply_to', refuse);
    bus.serve('identity.console_link', async () => ({
      link: { partner_name: 'Firm', actor: 'Ana', read_only: false },
    }));
    bus.serve('identity.open_console', refuse);
    await bus.connection.flush();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const post = async (path: string, headers: Record<string, string>) => {
    const body = new URLSearchParams({ token: 'the-token' });
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { accept: 'text/html', ...headers },
      body,
    });
    return response.status;
  };

  it.each(['/welcome', '/console/invitation', '/console/reply-to', '/console/enter'])(
    'has a form that a browser can send which says no more than its origin, and tells no one its token: %s',
    async (path) => {
      const page = await fetch(`${gateway.url}${path}?token=the-token`, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('<form method="post"');
      const policy = page.headers.get('referrer-policy') ?? '';
      for (const name of policy.split(', ')) expect(['no-referrer', 'strict-origin']).toContain(name);
      expect(await post(path, { origin: originSentBy(policy) })).not.toBe(403);
      for (const from of ['null', 'https://evil.example'])
        expect(await post(path, { origin: from })).toBe(403);
      expect(await post(path, {})).toBe(403);
    },
  );
});
