import { operations, type ReplyData } from '@casewatch/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';

const status: ReplyData<'monitor.status'> = {
  upstream: 'open',
  sending: true,
  paused: false,
  freshness: { p50_seconds: 3_600, p95_seconds: 80_000 },
  overdue_receipts: 3,
  capacity: {
    needed_per_day: 10,
    available_per_day: 8_500,
    stretch: 1,
    room: 7_000,
    by_class: [{ class: 'normal', receipts: 10, needed_per_day: 10 }],
  },
  planned_interval: { p50_seconds: 86_400, p95_seconds: 172_800 },
  real_interval: null,
  accepts_new_cases: true,
  watched_receipts: 10,
  used_today: 7,
  daily_budget: 10_000,
  as_of: '2026-11-21T10:00:00.000Z',
};

describe('GET /v1/status', () => {
  let cases: Cases;
  afterEach(async () => await cases.stop());

  const ask = async () => {
    const { status: code, body } = await cases.call('GET', '/v1/status', { as: { kind: 'anonymous' } });
    operations.get_status.success.body.parse(body);
    return { code, body };
  };

  it('shows how the government fares and how fresh our knowledge is, asking the monitor once in a while', async () => {
    cases = await startTestCases();
    let asked = 0;
    cases.monitor.bus.serve('monitor.status', async () => {
      asked += 1;
      return status;
    });
    await cases.monitor.bus.connection.flush();
    const answers = await Promise.all([ask(), ask(), ask()]);
    const { upstream, freshness, overdue_receipts, as_of } = status;
    const { used_today, planned_interval, real_interval } = status;
    const capacity = { ...status.capacity, used_today, planned_interval, real_interval };
    const body = { upstream, checking: true, freshness, overdue_receipts, capacity, as_of };
    for (const answer of answers) expect(answer).toEqual({ code: 200, body });
    expect(asked).toBe(1);
  });

  it('says so where checks are paused', async () => {
    cases = await startTestCases();
    cases.monitor.bus.serve('monitor.status', async () => ({
      ...status,
      paused: true,
      upstream: 'unreachable',
    }));
    await cases.monitor.bus.connection.flush();
    expect((await ask()).body).toMatchObject({ upstream: 'unreachable', checking: false });
  });

  it('is honest where the monitor is away', async () => {
    cases = await startTestCases();
    const { code, body } = await ask();
    expect(code).toBe(200);
    expect(body).toMatchObject({ upstream: 'unreachable', checking: false });
    expect(body).toMatchObject({ freshness: null, overdue_receipts: null, capacity: null });
    expect(Date.now() - Date.parse(String(body.as_of))).toBeLessThan(60_000);
  });
});
