import { createLogger } from '@casewatch/platform';
import { type Sibling, startNats, startSibling, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCapacityCheck } from '../clients/monitor.ts';

const status = {
  upstream: 'open' as const,
  sending: true,
  paused: false,
  freshness: null,
  capacity: null,
  watched_receipts: 0,
  used_today: 0,
  daily_budget: 1,
  as_of: '2026-11-21T12:00:00.000Z',
};

describe('admission of new cases', () => {
  let nats: TestNats;
  let cases: Sibling<'cases'>;
  let monitor: Sibling<'monitor'>;
  const log = createLogger('cases', 'silent');

  beforeAll(async () => {
    nats = await startNats();
    cases = await startSibling('cases', nats);
    monitor = await startSibling('monitor', nats);
  });
  afterAll(async () => {
    await Promise.all([cases.stop(), monitor.stop()]);
    await nats.stop();
  });

  it('refuses nobody while the monitor does not answer', async () => {
    await expect(createCapacityCheck(cases.bus, log).assertCapacity()).resolves.toBeUndefined();
  });

  it('refuses with 503 and the reason where the monitor takes no new cases, asking once for many', async () => {
    let asked = 0;
    const stop = monitor.bus.serve('monitor.status', async () => {
      asked += 1;
      return { ...status, accepts_new_cases: asked > 1 };
    });
    await monitor.bus.connection.flush();
    const admission = createCapacityCheck(cases.bus, log);
    for (let i = 0; i < 3; i++)
      await expect(admission.assertCapacity()).rejects.toMatchObject({
        code: 'service_unavailable',
        status: 503,
        message: expect.stringContaining('New cases are not accepted'),
        retryAfterS: 3_600,
      });
    expect(asked).toBe(1);
    await expect(createCapacityCheck(cases.bus, log).assertCapacity()).resolves.toBeUndefined();
    await stop();
  });
});
