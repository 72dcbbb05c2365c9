import { type ErrorCode, type OperationName, operations, scopes } from '@casewatch/contracts';
import { ApiError, readsPath, toProblem } from '@casewatch/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { lookHeader } from '../../src/http/pages/second-look.ts';
import { consolePages } from '../../src/pages/console/pages.ts';
import { answerAll, asked, exampleOf } from '../support/console-answers.ts';
import { type Seen, startTestGateway } from '../support/start-gateway.ts';

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
  import_id: '5',
};
const pathOf = (path: string) => path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? `:${name}`);
const paths = [
  ...consolePages.filter(({ method }) => method === 'GET').map(({ path }) => pathOf(path)),
  '/console/cases?user=ana%40example.com',
  '/console/users/317?cursor=x',
];

describe('the requests of a page of the console', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  /** Operations that are refused, each with its code. */
  const refused = new Map<OperationName, ErrorCode>();
  let sees: readonly string[] = scopes;
  let issued = 0;
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
    answerAll(gateway, answerOf);
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
    // A cursor has the time at which it was issued: no answer with one is like another.
    issued += 1;
    const body = JSON.stringify(bodyOf(name), (key, value) =>
      key === 'next_cursor' ? `cursor-${issued}` : value,
    );
    if (code === undefined) return { status: 200, body };
    const error = new ApiError(code);
    return { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) };
  }

  async function open(path: string, token = 'all', look?: string) {
    gateway.seen.length = 0;
    gateway.identity.asked.length = 0;
    const headers = { cookie: `console=${token}`, ...(look && { [lookHeader]: look }) };
    const response = await fetch(gateway.url + path, { headers });
    const text = await response.text();
    const [, digests = ''] = /<main[^>]* data-live="([^"]*)"/.exec(text) ?? [];
    return { status: response.status, text, digests, seen: [...gateway.seen] };
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

  it.each(['', '/console/users'])(
    'a verification mail that is asked for twice is on its way, from %j',
    async (back) => {
      refused.set('resend_partner_verification', 'rate_limited');
      const response = await fetch(`${gateway.url}/console/users/317/resend-verification`, {
        method: 'POST',
        headers: { cookie: 'console=all', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams(back === '' ? {} : { back }),
        redirect: 'manual',
      });
      expect(response.status).toBe(303);
      const { status, text } = await open(String(response.headers.get('location')));
      expect([status, text.includes('An e-mail was sent a short while ago. It is on its way.')]).toEqual([
        200,
        true,
      ]);
    },
  );

  it.each([
    ['/console/users', 'Filters'],
    ['/console/users?status=active&cursor=x&done=resent', 'Filters (1)'],
    ['/console/activity', 'Filters'],
    ['/console/activity?day=2026-11-28&object=case%3A5', 'Filters (2)'],
    ['/console/events', 'Filters'],
    ['/console/events?hours=168', 'Filters (1)'],
    ['/console/webhooks/13', 'Filters'],
    ['/console/webhooks/13?status=failed', 'Filters (1)'],
  ])('%s: shows the list first, and its filters behind one button', async (path, button) => {
    const { status, text } = await open(path);
    expect(status).toBe(200);
    expect(text).toContain(`<div class="filter"><details><summary class="button">${button}</summary>`);
    expect(text.match(/class="filters"/g)).toHaveLength(1);
  });

  it('lets a person copy an address, the id of an event and its payload', async () => {
    const { webhook } = exampleOf('get_webhook') as { webhook: { url: string } };
    expect((await open('/console/webhooks/13')).text).toContain(`<span data-copy>${webhook.url}</span>`);
    const { delivery } = exampleOf('get_delivery') as { delivery: { event_id: string } };
    const { text } = await open('/console/webhooks/13/deliveries/91');
    expect(text).toContain(`<span class="mono" data-copy>${delivery.event_id}</span>`);
    for (const page of [text, (await open('/console/events')).text])
      expect(page).toContain('aria-label="Event" data-copy>{');
  });

  describe('of a page that is open, which asks whether there is something new', () => {
    const live = ['/console', '/console/cases', '/console/cases?urgent=true', '/console/overview'].concat(
      ['/console/cases/FLOW0001042', '/console/users/without-messages', '/console/webhooks'],
      ['/console/webhooks/13', '/console/webhooks/13/deliveries/91'],
    );

    it('every live page knows what it shows', async () => {
      const isLive = async (path: string) => (await open(path)).text.includes(' data-live=');
      const found = [];
      // What is loaded again after a refused form leads to the list.
      for (const path of paths.filter((path) => path !== '/console/changes'))
        if (await isLive(path)) found.push(path);
      expect(found.filter((path) => !path.includes('?')).toSorted()).toEqual(
        live.filter((path) => !path.includes('?')).toSorted(),
      );
    });

    it.each(live)('%s: one request, whosever turn it is, while nothing changed', async (path) => {
      const { digests, seen } = await open(path);
      expect(digests.split(',')).toHaveLength(seen.length);
      const asked: string[] = [];
      for (let turn = 0; turn < 2 * seen.length; turn += 1) {
        const look = await open(path, 'all', `${turn} ${digests}`);
        expect([look.status, look.text, look.seen.length]).toEqual([204, '', 1]);
        asked.push(...servicesOf(look.seen));
      }
      // Each service has its turn, in the order of the page.
      expect(asked.slice(0, seen.length)).toEqual(servicesOf(seen));
    });

    /** Everything that a page asks, and so everything that can be new. */
    it.each(live)(
      '%s: shows what changed, wherever it did, after as many questions as it asks services',
      async (path) => {
        const first = await open(path);
        for (const name of new Set(first.seen.flatMap(asked))) {
          bodies[name] = { ...exampleOf(name), ...bodies[name], anew: true };
          const answers = [];
          for (let turn = 0; turn < first.seen.length; turn += 1)
            answers.push((await open(path, 'all', `${turn} ${first.digests}`)).status);
          expect([name, answers.filter((status) => status === 200)]).toEqual([name, [200]]);
          delete (bodies[name] as { anew?: boolean }).anew;
        }
      },
    );

    it('shows a new row of the list at the first question, with all of the page', async () => {
      const { digests } = await open('/console/cases');
      const [row] = cases;
      const added = { ...row, user_case_id: 'FLOW7777777', user: null };
      bodies.list_partner_cases = { ...exampleOf('list_partner_cases'), cases: [added, ...cases] };
      const look = await open('/console/cases', 'all', `0 ${digests}`);
      bodies.list_partner_cases = { ...exampleOf('list_partner_cases'), cases };
      expect([look.status, look.text.includes('FLOW7777777'), look.text.includes('Assign')]).toEqual([
        200,
        true,
        true,
      ]);
      expect(look.digests).not.toBe(digests);
      // A service is not asked twice for it.
      expect(look.seen.length).toBe(2);
    });

    it('is made as a whole after a failure: a page without its figures gets them', async () => {
      refused.set('get_statistics', 'service_unavailable');
      const { digests, text } = await open('/console/overview');
      expect(text).toContain('No figures at the moment');
      refused.clear();
      const turns = digests.split(',').map((_, turn) => turn);
      const looks = [];
      for (const turn of turns) looks.push(await open('/console/overview', 'all', `${turn} ${digests}`));
      const anew = looks.filter(({ status }) => status === 200);
      expect(anew).toHaveLength(1);
      expect(anew[0]?.text).not.toContain('No figures at the moment');
    });

    it('is made as a whole for digests that are none, and is no way around the session', async () => {
      for (const look of ['x', '0 ', '0 short', '-1 AAAAAAAAAAAAAAAA', `0 ${'A'.repeat(16)}`])
        expect([look, (await open('/console/cases', 'all', look)).status]).toEqual([look, 200]);
      const { digests } = await open('/console/cases');
      sees = ['profile:read'];
      const refusedLook = await open('/console/cases', 'few-now', `0 ${digests}`);
      expect([refusedLook.status, refusedLook.seen.length]).toEqual([403, 0]);
    });
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

  it('ask for the newest events first, and link what each is about', async () => {
    const { text, seen } = await open('/console/events');
    expect(seen.map(({ url }) => new URL(url, 'http://x').searchParams.get('sort'))).toEqual(['-at']);
    const { events } = exampleOf('list_events') as {
      events: { data: { case?: { user_case_id: string } } }[];
    };
    const ofCases = events.flatMap(({ data }) => data.case?.user_case_id ?? []);
    expect(ofCases.length).toBeGreaterThan(0);
    for (const ref of ofCases) expect(text).toContain(`href="/console/cases/${ref}"`);
  });

  it('find the events about one person by number or address', async () => {
    const asked = async (path: string) =>
      (await open(path)).seen.map(({ url }) => new URL(url, 'http://x').searchParams.get('user_id'));
    expect(await asked('/console/events?user=318')).toEqual(['318']);
    const [{ id }] = exampleOf('list_partner_users').users as [{ id: number }];
    expect((await asked('/console/events?user=ana%40example.com')).at(-1)).toBe(String(id));
    // No question that would be answered with all events.
    expect(await asked('/console/events?user=nobody')).toEqual([]);
    const { text } = await open('/console/users/317');
    expect(text).toContain('href="/console/events?user=317&amp;hours=720"');
  });

  it('lead from the first users without messages to all of them', async () => {
    const [one] = exampleOf('list_suppressions').suppressions as { user: { id: number; name: string } }[];
    const suppressions = Array.from({ length: 7 }, (_, i) => ({
      ...one,
      user: { id: 9_000 + i, name: `Person ${i}` },
    }));
    bodies.list_suppressions = { suppressions };
    const { text } = await open('/console/overview');
    const [, href = '', words] = /<a href="([^"]*)">(\d+ more users) without messages<\/a>/.exec(text) ?? [];
    expect([words, text.includes('/console/users/9006"')]).toEqual(['2 more users', false]);
    const all = await open(href);
    delete bodies.list_suppressions;
    for (const { user } of suppressions)
      expect(all.text).toContain(`/console/users/${user.id}">${user.name}`);
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
