import { readFileSync } from 'node:fs';
import { type ErrorCode, type OperationName, operations, routesInOrder, scopes } from '@casewatch/contracts';
import { ApiError, readsPath, toProblem } from '@casewatch/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { consolePages } from '../../src/pages/console/pages.ts';
import { type Seen, startTestGateway } from '../support/start-gateway.ts';

type Example = { readonly answers: readonly { readonly body: Record<string, unknown> }[] };
const recorded = new URL('../../../../libs/contracts/src/openapi/recorded-examples.json', import.meta.url);
const examples: Record<string, Example> = JSON.parse(readFileSync(recorded, 'utf8')).operations;
const exampleOf = (name: string) => examples[name]?.answers[0]?.body ?? {};

/** A user with more cases that changed than the page of the user reads. */
const [aCase] = exampleOf('list_partner_cases').cases as { user_case_id: string }[];
const cases = Array.from({ length: 25 }, (_, i) => ({ ...aCase, user_case_id: `FLOW${1_000_000 + i}` }));
const bodies: Partial<Record<OperationName, object>> = {
  list_partner_cases: { ...exampleOf('list_partner_cases'), cases },
};
const bodyOf = (name: OperationName) => bodies[name] ?? exampleOf(name);

const values: Readonly<Record<string, string>> = {
  case_ref: 'FLOW0001042',
  user_id: '317',
  webhook_id: '13',
  delivery_id: '91',
  task_id: '7',
  staff_id: '9',
};
const pathOf = (path: string) => path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? `:${name}`);
const paths = [
  ...consolePages.filter(({ method }) => method === 'GET').map(({ path }) => pathOf(path)),
  '/console/cases?user=ana%40example.com',
  '/console/users/317?cursor=x',
];

/** The operations that a request asks for. */
function asked({ method, url, body }: Seen): OperationName[] {
  const path = url.split('?')[0] ?? '';
  if (path === readsPath)
    return JSON.parse(body).reads.map(({ operation }: { operation: OperationName }) => operation);
  const isOf = (row: { path: string }) =>
    new RegExp(`^${row.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
  return routesInOrder()
    .filter((row) => row.method === method && isOf(row))
    .slice(0, 1)
    .map(({ name }) => name);
}

describe('the requests of a page of the console', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  /** Operations that are refused, each with its code. */
  const refused = new Map<OperationName, ErrorCode>();
  let sees: readonly string[] = scopes;
  beforeAll(async () => {
    gateway = await startTestGateway((origin) => ({ NOTIFIER_URL: origin }));
    gateway.identity.bus.serve('identity.console_session', async ({ token }) => ({
      token,
      principal: {
        kind: 'partner',
        partner_id: 1,
        key_id: '1',
        scopes: scopes.filter((s) => sees.includes(s)),
      },
      ...{ session_id: token, actor: 'Ana', read_only: false },
      ...{ renew_at: '2099-01-01T00:00:00.000Z', expires_at: '2099-01-01T00:00:00.000Z' },
      ...{ partner_name: 'Santos & Partners', partner_logo_url: null },
    }));
    await gateway.identity.bus.connection.flush();
    gateway.answer.bodyOf = (request) => {
      const answers = asked(request).map(answerOf);
      const [first = answerOf('get_profile')] = answers;
      return request.url === readsPath ? { body: JSON.stringify({ answers }) } : first;
    };
  });
  afterAll(async () => {
    await gateway.stop();
  });
  afterEach(() => {
    refused.clear();
    sees = scopes;
  });

  function answerOf(name: OperationName) {
    const code = refused.get(name);
    if (code === undefined) return { status: 200, body: JSON.stringify(bodyOf(name)) };
    const error = new ApiError(code);
    return { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) };
  }

  async function open(path: string, token = 'all') {
    gateway.seen.length = 0;
    gateway.identity.asked.length = 0;
    const response = await fetch(gateway.url + path, { headers: { cookie: `console=${token}` } });
    return { status: response.status, text: await response.text(), seen: [...gateway.seen] };
  }

  const servicesOf = (seen: readonly Seen[]) => [
    ...new Set(seen.flatMap(asked).map((name) => operations[name].service)),
  ];

  it.each(paths)('%s: at most five, and none over the bus', async (path) => {
    const { status, seen } = await open(path);
    expect(status).toBe(200);
    expect(seen.length).toBeLessThanOrEqual(5);
    const overBus = gateway.identity.asked.filter(({ name }) => name !== 'identity.revocations');
    expect(overBus).toEqual([]);
  });

  it('are one for each service, whatever the page shows of it; a page of one service makes one request each time', async () => {
    const { seen } = await open('/console/overview');
    expect(seen.flatMap(asked).length).toBe(11);
    expect(servicesOf(seen)).toHaveLength(seen.length);
    for (const [path, services] of [
      // Cases, and who can be given them.
      ['/console', 2],
      ['/console/cases', 2],
      ['/console/users', 1],
      ['/console/webhooks', 1],
      ['/console/webhooks/13', 1],
    ] as const) {
      for (const visit of [await open(path), await open(path)])
        expect([path, visit.seen.length]).toEqual([path, services]);
    }
  });

  it('see a change at the next visit: no answer is kept', async () => {
    const { client } = exampleOf('get_profile') as { client: object };
    for (const count of [7_001, 7_002]) {
      bodies.get_profile = { client: { ...client, user_count: count, case_count: count + 100 } };
      for (const path of ['/console/overview', '/console/settings'])
        expect([path, (await open(path)).text.includes(count.toLocaleString('en'))]).toEqual([path, true]);
    }
    delete bodies.get_profile;
  });

  it('are for what the session may see', async () => {
    sees = ['profile:read', 'webhooks'];
    const { status, seen } = await open('/console/overview', 'few');
    expect([status, seen.flatMap(asked).sort()]).toEqual([
      200,
      ['get_profile', 'get_statistics', 'get_status', 'list_webhooks'],
    ]);
  });

  it('fail alone: the page shows the rest', async () => {
    refused.set('get_statistics', 'service_unavailable');
    const { status, text } = await open('/console/overview');
    expect([status, text.includes('No figures at the moment')]).toEqual([200, true]);
    refused.clear();
    refused.set('list_acknowledgements', 'case_not_found');
    expect((await open('/console/cases/FLOW0001042')).status).toBe(404);
  });

  it('get the refusal of all of them', async () => {
    const error = new ApiError('service_unavailable', { retryAfterS: 7 });
    const { bodyOf: usual } = gateway.answer;
    gateway.answer.bodyOf = () => ({ status: 503, body: JSON.stringify(toProblem(error, 'r-1')) });
    const refusedPage = await open('/console/overview');
    gateway.answer.bodyOf = () => ({ status: 200, body: '{"answers":[]}' });
    const unanswered = await open('/console/overview');
    gateway.answer.bodyOf = usual;
    expect([refusedPage.status, unanswered.status]).toEqual([503, 503]);
  });

  it('are made by the gateway alone', async () => {
    gateway.seen.length = 0;
    const headers = {
      'content-type': 'application/json',
      'x-api-key': 'cwk_live_test',
      'x-api-secret': 'cws_live_test',
    };
    const body = JSON.stringify({ reads: [{ operation: 'get_status', params: {}, query: {} }] });
    for (const path of [readsPath, `/v1${readsPath}`, `/console${readsPath}`]) {
      const { status } = await fetch(gateway.url + path, { method: 'POST', headers, body });
      expect([path, status, gateway.seen]).toEqual([path, 404, []]);
    }
  });
});
