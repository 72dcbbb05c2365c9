import type { ReplyInput, RequestName } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';
import { connectAs, freePort } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from './support/start-gateway.ts';

const at = '2026-11-23T12:00:00.000Z';
const common = {
  as_of: at,
  started_at: at,
  outbox: { waiting: 0, oldest_seconds: 0, refused: 0 },
  consumers: [],
  dead_letters: 0,
};

/** Answers of a system with one fault of each kind. */
const replies: { [N in RequestName]?: ReplyInput<N> } = {
  'monitor.status': {
    upstream: 'open',
    sending: true,
    paused: false,
    freshness: { p50_seconds: 90, p95_seconds: 7_200 },
    overdue_receipts: 4,
    capacity: null,
    planned_interval: { p50_seconds: 600, p95_seconds: 86_400 },
    real_interval: null,
    accepts_new_cases: false,
    watched_receipts: 1_234,
    used_today: 250,
    daily_budget: 1_000,
    as_of: at,
  },
  'monitor.state': {
    ...common,
    breaker: 'open',
    next_probe_at: at,
    pace: 0.5,
    lanes: [{ lane: 'interactive', used: 100, left: 0 }],
    refusals: [{ result: 'closed', message: 'We <rest> now', at }],
    held_receipts: 3,
    unknown_titles: 2,
    detection_delay: { p50_seconds: 5_400, p95_seconds: 90_000, changes: 7 },
  },
  'cases.state': {
    ...common,
    outbox: { waiting: 12, oldest_seconds: 120, refused: 1 },
    consumers: [
      { name: 'cases-status', pending: 2_500, outcomes: [{ outcome: 'done', count: 41 }] },
      { name: 'cases-identity', pending: 3, stalled_seconds: 1_200, outcomes: [] },
    ],
    dead_letters: 2,
  },
  'notifier.state': {
    ...common,
    consumers: null,
    queues: [
      // What is due was tried a moment ago.
      { queue: 'email', due: 5, oldest_seconds: 60, unsent: 7, oldest_unsent_seconds: 3_600 },
      // Fifteen minutes are fine for a message, and too long for a sign-in code.
      { queue: 'whatsapp', due: 1, oldest_seconds: 5, unsent: 3, oldest_unsent_seconds: 180 },
      { queue: 'mails', due: 1, oldest_seconds: 5, unsent: 2, oldest_unsent_seconds: 180 },
    ],
    messages: [{ queue: 'email', status: 'failed', code: 'smtp_550', count: 9 }],
    circuits: [{ scope: 'whatsapp', remaining_seconds: 30 }],
    templates: [
      { template: 'status_update', language: 'es', is_ready: false, finding: 'not approved: paused' },
    ],
  },
  'webhooks.state': {
    ...common,
    failing: 1,
    disabled: 0,
    oldest_overdue_seconds: 300,
    failing_endpoints: [
      { id: 8, partner_id: 3, host: 'hooks.example', failing_since: at, failures: 20, error: 'timeout' },
    ],
  },
};

/** A gateway of its own, and those who answer it. */
async function otherGateway(settings: Record<string, string> = {}) {
  const port = await freePort();
  const gateway = await startTestGateway({ METRICS_PORT: String(port), ...settings });
  const buses: Bus[] = [];
  const read = async () => await (await fetch(`http://127.0.0.1:${port}/`)).text();
  return {
    gateway,
    read,
    async answer(name: RequestName, handler: () => Promise<unknown>): Promise<void> {
      const [service] = name.split('.') as ['monitor' | 'cases' | 'notifier' | 'webhooks'];
      const bus = await connectAs(gateway.nats, service);
      bus.serve(name, handler as never);
      await bus.connection.flush();
      buses.push(bus);
    },
    async findings(): Promise<(string | undefined)[]> {
      const [found = ''] = (await read()).split('<h2>Checks</h2>');
      return [...found.matchAll(/class="notice \w+"[^>]*><p><b>([^<]*)<\/b>/g)].map(
        ([, sentence]) => sentence,
      );
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(buses.map((bus) => bus.stop()));
      await gateway.stop();
    },
  };
}

describe('the page for operators', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let address: string;
  const buses: Bus[] = [];

  beforeAll(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}/`;
    const settings = { METRICS_PORT: String(port), TRACES_URL: 'https://traces.example' };
    gateway = await startTestGateway(settings);
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    await gateway.stop();
  });

  const read = async () => {
    const response = await fetch(address);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** Answers as these services do, from now on. */
  async function answer(...names: RequestName[]): Promise<void> {
    for (const name of names) {
      const [service] = name.split('.') as ['monitor' | 'cases' | 'notifier' | 'webhooks'];
      const bus = await connectAs(gateway.nats, service);
      bus.serve(name, async () => replies[name] as never);
      await bus.connection.flush();
      buses.push(bus);
    }
  }

  it('says which services do not answer, and shows the rest', async () => {
    await answer('monitor.status');
    const { status, text } = await read();
    expect(status).toBe(200);
    for (const service of ['identity', 'cases', 'monitor', 'notifier', 'webhooks'])
      expect(text).toContain(`<b>${service} does not answer.</b>`);
    for (const part of ['1,234', '1.5 min', '2 h', '250 of 1,000 checks (25 %)', '1 d'])
      expect(text).toContain(part);
  });

  describe('with one fault of each kind', () => {
    beforeAll(() => answer('cases.state', 'monitor.state', 'notifier.state', 'webhooks.state'));

    it('puts what is wrong first, with the runbook and the command', async () => {
      const { text } = await read();
      const [found = ''] = text.split('<h2>Checks</h2>');
      const findings = [...found.matchAll(/class="notice (\w+)"[^>]*><p><b>([^<]*)<\/b>/g)];
      expect(findings.map(([, tone, sentence]) => `${tone}: ${sentence}`)).toEqual([
        'bad: NATS does not answer notifier.',
        'bad: identity does not answer.',
        'bad: A stream refuses 1 event of cases.',
        'bad: 12 events of cases wait to be published, the oldest for 2 min.',
        'bad: cases has 2 dead letters: events that it could not handle.',
        'bad: 3 events wait for the consumer cases-identity, and none was finished for 20 min.',
        'bad: New cases are refused: the planned interval is too long.',
        'bad: The circuit breaker to USCIS is open.',
        'bad: 3 changed receipts wait for the decision of an operator.',
        'bad: Messages of whatsapp are paused after faults; the next try is in 30 s.',
        'bad: 7 messages of email wait, the oldest for 1 h.',
        'bad: 2 messages of mails wait, the oldest for 3 min.',
        'bad: A webhook is 5 min late.',
        'warn: 2,500 events wait for the consumer cases-status.',
        'warn: 4 receipts without a recent check.',
        'warn: The quota of interactive checks is used up for today.',
        'warn: 1 WhatsApp template not ready.',
        'warn: Endpoints of partners that fail: 1.',
      ]);
      expect(found).toContain('<code>npm run admin -- deadletters list cases</code>');
      expect(found).toContain('docs/runbooks.md, UpdatesHeld');
    });

    it('shows each part in its section, and what USCIS said as text', async () => {
      const { text, headers } = await read();
      const parts = [
        'deadletters replay cases --all',
        'smtp_550',
        'We &lt;rest&gt; now',
        'hooks.example',
        '100 used, 0 left',
        '1.5 h',
        'not approved: paused',
        'href="https://traces.example"',
      ];
      for (const part of parts) expect(text).toContain(part);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      const [, sheet = ''] = /href="(\/assets\/[^"]+)"/.exec(text) ?? [];
      expect((await fetch(new URL(sheet, address))).status).toBe(200);
    });
  });

  it('names MongoDB, and no service, where MongoDB does not answer the services', async () => {
    await using system = await otherGateway();
    const lost = { ...common, outbox: null };
    await system.answer('identity.state', async () => lost);
    await system.answer('cases.state', async () => lost);
    // These need their database for the rest of the answer too.
    for (const name of ['monitor.state', 'notifier.state', 'webhooks.state'] as const)
      await system.answer(name, async () => {
        throw new ApiError('service_unavailable');
      });
    expect(await system.findings()).toEqual([
      'MongoDB does not answer identity, cases, monitor, notifier, webhooks.',
    ]);
  });

  it('names MongoDB where only the rows of dead letters cannot be read, and NATS where only the consumers cannot', async () => {
    await using system = await otherGateway();
    for (const name of ['monitor.state', 'notifier.state', 'webhooks.state'] as const)
      await system.answer(name, async () => ({ ...(replies[name] ?? common), ...common }));
    await system.answer('identity.state', async () => ({ ...common, dead_letters: null }));
    await system.answer('cases.state', async () => ({ ...common, consumers: null }));
    const found = await system.findings();
    expect(found).toContain('MongoDB does not answer identity.');
    expect(found).toContain('NATS does not answer cases.');
  });

  it('does not blame MongoDB where one service alone cannot answer', async () => {
    await using system = await otherGateway();
    for (const name of ['identity.state', 'cases.state', 'notifier.state', 'webhooks.state'] as const)
      await system.answer(name, async () => ({ ...(replies[name] ?? common), ...common }));
    await system.answer('monitor.state', async () => {
      throw new Error('a fault');
    });
    expect(await system.findings()).toContain(
      'monitor answers, but cannot read its state: MongoDB, or a fault that its log has.',
    );
  });

  it('names NATS, and no service, where NATS does not answer', async () => {
    await using system = await otherGateway();
    await system.gateway.nats.stop();
    const started = performance.now();
    expect(await system.findings()).toEqual([
      'NATS does not answer the gateway. Nothing is known of the services, which are asked over NATS.',
    ]);
    expect(performance.now() - started).toBeLessThan(15_000);
    const page = await system.read();
    expect(page).not.toMatch(/No dead letters|All consumers are healthy/);
    expect(page.match(/These do not say it: identity, cases, monitor, notifier, webhooks\./g)).toHaveLength(
      2,
    );
  });

  it.each([
    ['was asked and has never answered', null, [{ result: 'failed', message: 'ENOTFOUND', at }], true],
    ['was not asked yet', null, [], false],
    ['answered a moment ago', at, [{ result: 'failed', message: 'ENOTFOUND', at }], false],
  ])('says it where USCIS %s', async (_what, answered_at, refusals, isFinding) => {
    await using system = await otherGateway();
    for (const name of ['identity.state', 'cases.state', 'notifier.state', 'webhooks.state'] as const)
      await system.answer(name, async () => ({ ...(replies[name] ?? common), ...common }));
    await system.answer('monitor.status', async () => replies['monitor.status'] as never);
    const state = { ...replies['monitor.state'], breaker: 'closed', answered_at, refusals };
    await system.answer('monitor.state', async () => state as never);
    const found = 'USCIS was asked, and has not answered about any receipt yet.';
    expect((await system.findings()).includes(found)).toBe(isFinding);
    const page = await system.read();
    expect(page.includes('USCIS answers')).toBe(answered_at !== null);
    expect(page.includes('USCIS has not answered yet')).toBe(answered_at === null);
  });

  it('does not call well what one service does not say', async () => {
    await using system = await otherGateway();
    for (const name of ['identity.state', 'cases.state', 'monitor.state', 'webhooks.state'] as const)
      await system.answer(name, async () => ({ ...(replies[name] ?? common), ...common }));
    const page = await system.read();
    expect(page.match(/These do not say it: notifier\. The others report nothing\./g)).toHaveLength(2);
    expect(page).not.toContain('All consumers are healthy');
  });

  it.each([
    [undefined, 'npm run admin -- monitor status', 'npm run admin -- republish'],
    [
      'kubectl -n firm exec deploy/{service} --',
      'kubectl -n firm exec deploy/monitor -- node service/src/admin/main.ts monitor status',
      'kubectl -n firm exec deploy/<service> -- node libs/platform/src/programs/dead-letters.ts list <service>',
    ],
    [
      'docker compose exec {service}',
      'docker compose exec notifier node service/src/admin/main.ts notifier templates',
      'docker compose exec identity node service/src/admin/main.ts key revoke',
    ],
  ])('shows the commands of this deployment: %s', async (exec, ...shown) => {
    await using system = await otherGateway(exec === undefined ? {} : { OPERATOR_EXEC: exec });
    const page = (await system.read()).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    for (const command of shown) expect(page).toContain(command);
    if (exec !== undefined) expect(page).not.toContain('npm run');
  });

  it('is not served to callers of the API', async () => {
    expect(await (await fetch(gateway.url)).text()).not.toContain('does not answer');
  });
});
