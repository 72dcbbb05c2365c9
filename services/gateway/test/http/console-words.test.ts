import { type OperationName, scopes } from '@casewatch/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerAll, exampleOf } from '../support/console-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

// What a paralegal or an engineer took for something else, or missed, on pages of the console.

describe('a page of the console', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let zone: string | null = null;
  const bodies: Partial<Record<OperationName, object>> = {};
  const answerOf = (name: OperationName) => ({
    status: 200,
    body: JSON.stringify({ ...exampleOf(name), ...bodies[name] }),
  });
  beforeAll(async () => {
    gateway = await startTestGateway((origin) => ({ NOTIFIER_URL: origin }));
    gateway.identity.bus.serve('identity.console_session', async ({ token }) => ({
      token,
      principal: { kind: 'partner', partner_id: 1, key_id: '1', scopes: [...scopes] },
      ...{ session_id: token, actor: 'Ana', read_only: false, time_zone: zone },
      ...{ renew_at: '2099-01-01T00:00:00.000Z', expires_at: '2099-01-01T00:00:00.000Z' },
      ...{ partner_name: 'Santos & Partners', partner_logo_url: null },
    }));
    await gateway.identity.bus.connection.flush();
    answerAll(gateway, answerOf);
  });
  afterAll(() => gateway.stop());
  afterEach(() => {
    zone = null;
    for (const name of Object.keys(bodies)) delete bodies[name as OperationName];
  });

  async function open(path: string, { token = 'all', cookies = '', form = null as null | object } = {}) {
    const response = await fetch(gateway.url + path, {
      headers: { cookie: `console=${token}${cookies}`, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams({ ...form }) }),
    });
    const text = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    return text;
  }
  const wordsOf = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

  it.each([
    [
      'an endpoint was added',
      '/console/webhooks/new',
      { url: 'https://example.com/hooks', description: '', events: '*', rate_limit: '50' },
      [/action="\/console\/webhooks\/\d+\/test"/, /How to verify a signature/],
    ],
    [
      'the secret of an endpoint was rotated',
      '/console/webhooks/13/rotate-secret',
      { overlap_hours: '1' },
      [/action="\/console\/webhooks\/\d+\/test"/, /How to verify a signature/],
    ],
    [
      'a key was created',
      '/console/keys/new',
      { name: 'A second key', scopes: 'cases:read', allowed_ips: '' },
      [/href="\/docs"/, /href="\/console\/keys">All keys/],
    ],
    ['a test event was sent', '/console/webhooks/13/test', {}, [/href="\/console\/webhooks\/13">Back/]],
  ])('says what comes next after %s', async (_what, path, form, next) => {
    const text = await open(path, { form });
    for (const step of next) expect(text).toMatch(step);
  });

  it('says of an endpoint that fails what to do', async () => {
    const { webhook } = exampleOf('get_webhook') as { webhook: object };
    const failing = { disabled_at: null, disabled_reason: null, failing_since: '2026-11-26T09:00:00.000Z' };
    bodies.get_webhook = { webhook: { ...webhook, ...failing } };
    expect(wordsOf(await open('/console/webhooks/13'))).toMatch(/have failed since .* Repair your system/);
    bodies.get_webhook = { webhook: { ...webhook, ...failing, disabled_at: '2026-11-26T09:00:00.000Z' } };
    expect(wordsOf(await open('/console/webhooks/13'))).toMatch(
      /Disabled .* activate the endpoint, then replay/,
    );
  });

  it('tells what is in use from what is a limit', async () => {
    const [, inUse = '', limits = ''] =
      /<h2>In use<\/h2>([\s\S]*)<h2>Limits<\/h2>([\s\S]*)$/.exec(await open('/console/settings')) ?? [];
    expect([...inUse.matchAll(/<dt>([^<]*)</g)].map(([, label]) => label)).toEqual([
      ...['Users', 'Cases', 'Webhook endpoints'],
    ]);
    const shown = [...limits.matchAll(/<dt>([^<]*)</g)].map(([, label]) => label);
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.filter((label) => !label?.endsWith(', at most'))).toEqual([]);
  });

  it('says whose figure the freshness is, and shows none to a firm without cases', async () => {
    const { client } = exampleOf('get_profile') as { client: object };
    const label = 'Time since the last check';
    bodies.get_profile = { client: { ...client, case_count: 3 } };
    const text = wordsOf(await open('/console/overview'));
    expect([text.includes(label), text.includes('of the cases at Casewatch')]).toEqual([true, true]);
    bodies.get_profile = { client: { ...client, case_count: 0 } };
    expect(wordsOf(await open('/console/overview'))).not.toContain(label);
  });

  it('has times in the zone of the member or the partner from the first page on, without script', async () => {
    const { webhook } = exampleOf('get_webhook') as { webhook: object };
    bodies.get_webhook = {
      webhook: { ...webhook, disabled_at: null, failing_since: '2026-11-26T02:30:00.000Z' },
    };
    const timeOn = async (token: string, cookies = '') =>
      />([^<]*)<\/time>\. We try again/.exec(await open('/console/webhooks/13', { token, cookies }))?.[1];
    expect(await timeOn('utc')).toMatch(/^Nov 26, 2026, 2:30\sAM UTC$/);
    zone = 'America/Chicago';
    expect(await timeOn('chicago')).toMatch(/^Nov 25, 2026, 8:30\sPM$/);
    // The browser of a traveller says where it is.
    expect(await timeOn('chicago', '; zone=Asia/Tokyo')).toMatch(/^Nov 26, 2026, 11:30\sAM$/);
  });

  it.each(['/console/cases/new', '/console/users/317/cases/new'])(
    'says that the user sees the description of a case: %s',
    async (path) => {
      expect(wordsOf(await open(path))).toContain('The user sees it on the page of the case.');
    },
  );

  it('says that messages lead to our pages where a firm has none of its own', async () => {
    expect(wordsOf(await open('/console/settings'))).toContain('Empty: to our page of the case.');
  });
});
