import { type Base, createBase, createInstruments } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { emptyDatabase, startMongo, startNats, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBases, type TestBases } from './support/start-bases.ts';

describe('metrics', () => {
  let bases: TestBases;
  let identity: Base<'identity'>;
  beforeAll(async () => {
    bases = await startBases();
    identity = await bases.base('identity');
  });
  afterAll(() => bases.stop());

  const answer = (path: string) => fetch(`http://127.0.0.1:${identity.metricsPort}${path}`);
  const outboxLag = async () =>
    Number(/^outbox_lag (\S+)$/m.exec(await (await answer('/metrics')).text())?.[1]);

  it('are Prometheus text that names the service', async () => {
    const metrics = await answer('/metrics');
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await metrics.text()).toContain('service_name="identity"');
  });

  // The lag is measured every 10 s. The next test, which has servers of its own, runs meanwhile.
  it('show how long the oldest event has waited to be published', async () => {
    expect(await outboxLag()).toBe(0);
    await transaction(identity.db, (session) =>
      identity.outbox.add(session, 'user.deleted', 'user/7', { user_id: 7, partner_id: 1, version: 2 }),
    );
    await waitFor(async () => (await outboxLag()) > 0, { what: 'the measured age', timeoutMs: 30_000 });
  });

  it('are shown while the database does not answer', async () => {
    const [mongo, nats] = await Promise.all([startMongo({ own: true }), startNats({ declares: false })]);
    const settings = { LOG_LEVEL: 'silent', HOST: '127.0.0.1', METRICS_PORT: 0 };
    const cases = await createBase(
      'cases',
      {
        ...settings,
        MONGODB_URL: mongo.url('cases'),
        ...nats.user('cases'),
      },
      emptyDatabase,
    );
    const { pid } = mongo;
    if (pid === undefined) throw new Error('this test freezes a mongod of its own');
    try {
      process.kill(pid, 'SIGSTOP');
      const url = `http://127.0.0.1:${cases.metricsPort}/metrics`;
      const frozen = await fetch(url, { signal: AbortSignal.timeout(3_000) });
      expect(await frozen.text()).toMatch(/^outbox_lag 0$/m);
    } finally {
      process.kill(pid, 'SIGCONT');
      await cases.stop();
      await Promise.all([mongo.stop(), nats.stop()]);
    }
  });

  it('begin at 0 for a counter without labels, so that Prometheus sees its first event', async () => {
    const table = {
      'first.held': { kind: 'counter', description: 'Without labels' },
      'first.sent': { kind: 'counter', description: 'With labels', labels: ['channel'] },
    } as const;
    createInstruments(identity.meter, table);
    const text = await (await answer('/metrics')).text();
    expect(/^first_held_total (\S+)$/m.exec(text)?.[1]).toBe('0');
    expect(text).not.toMatch(/^first_sent_total/m);
  });

  it('stand at /metrics and nowhere else', async () => {
    expect((await answer('/')).status).toBe(404);
  });
});
