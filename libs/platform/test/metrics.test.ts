import { type Base, transaction } from '@casewatch/platform';
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

  it('show how long the oldest event has waited to be published', async () => {
    expect(await outboxLag()).toBe(0);
    await transaction(identity.db, (session) =>
      identity.outbox.add(session, 'user.deleted', 'user/7', { user_id: 7, partner_id: 1, version: 2 }),
    );
    expect(await outboxLag()).toBeGreaterThan(0);
  });

  it('stand at /metrics and nowhere else', async () => {
    expect((await answer('/')).status).toBe(404);
  });
});
