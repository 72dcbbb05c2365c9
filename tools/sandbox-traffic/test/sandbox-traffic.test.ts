import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@casewatch/sandbox';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consecutiveDays, type Day } from '../src/report.ts';
import { run } from '../src/run.ts';
import { stagingReceipts, trafficReceipt } from '../src/staging-receipts.ts';

const plan = { days: 3, perDay: 100 };

function day(statuses: Day['statuses'] = { 200: 90, 404: 5, 422: 5 }): Day {
  return { statuses, first_at: '2026-11-16T12:00:00Z', last_at: '2026-11-16T20:00:00Z' };
}

describe('the traffic for production access', () => {
  it('goes to all fifty staging receipts, and to others that are answered 404 and 422', () => {
    expect(new Set(stagingReceipts).size).toBe(50);
    const receipts = Array.from({ length: 900 }, (_, n) => trafficReceipt(n));
    const others = receipts.filter((receipt) => !stagingReceipts.includes(receipt));
    expect(others).toHaveLength(90);
    expect(new Set(others).size).toBe(2);
  });

  it('counts complete days without a gap', () => {
    const [monday, tuesday, wednesday] = ['2026-11-16', '2026-11-17', '2026-11-18'] as const;
    const twoDays = { [monday]: day(), [tuesday]: day() };
    expect(consecutiveDays(plan, { ...twoDays, [wednesday]: day() })).toBe(3);
    expect(consecutiveDays(plan, twoDays)).toBe(2);
    expect(consecutiveDays(plan, { ...twoDays, '2026-11-19': day() })).toBe(2);
    expect(consecutiveDays(plan, { ...twoDays, [wednesday]: day({ 200: 10 }), '2026-11-19': day() })).toBe(2);
  });

  it('is not complete on a day with too few requests, without answers, or without errors', () => {
    const incomplete = [{ 200: 80, 404: 5, 422: 4 }, { 404: 100 }, { 200: 100 }];
    for (const statuses of incomplete) expect(consecutiveDays(plan, { '2026-11-16': day(statuses) })).toBe(0);
  });
});

describe('npm run sandbox-traffic', () => {
  let sandbox: Sandbox;
  let folder: string;
  const lines: string[] = [];

  beforeAll(async () => {
    sandbox = await startSandbox({
      uscisLimits: { rate_per_second: 100_000, daily_quota: 1_000_000, hours: null },
    });
    folder = await mkdtemp(join(tmpdir(), 'sandbox-traffic-'));
  });
  afterAll(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  function traffic(...args: string[]): Promise<void> {
    const env = {
      USCIS_TOKEN_URL: `${sandbox.uscis_url}/oauth/accesstoken`,
      USCIS_API_URL: `${sandbox.uscis_url}/case-status`,
      USCIS_CLIENT_ID: sandbox.uscis_client_id,
      USCIS_CLIENT_SECRET: sandbox.uscis_client_secret,
    };
    const file = join(folder, 'days.json');
    return run(['--days', '1', '--file', file, ...args], env, (line) => lines.push(line));
  }
  async function statuses(): Promise<number[]> {
    const answer = await fetch(`${sandbox.uscis_url}/sandbox/requests`);
    return ((await answer.json()) as { status: number }[]).map(({ status }) => status);
  }

  it('sends a day of requests with answers and errors, continues from its file, and reports', async () => {
    await traffic('--per-day', '20', '--every-seconds', '0.2');
    expect(lines.at(-1)).toBe('1 of 1 consecutive days complete.');
    const first = await statuses();
    // Ninety per cent of the requests make a day complete.
    expect(first).toHaveLength(18);
    await traffic('--per-day', '40', '--every-seconds', '0.2');
    const all = await statuses();
    expect(all).toHaveLength(36);
    const count = (status: number) => all.filter((row) => row === status).length;
    expect([count(200), count(404), count(422)]).toEqual([33, 2, 1]);
    await traffic('--per-day', '40', '--report');
    expect(await statuses()).toHaveLength(36);
    expect(lines.at(-2)).toMatch(/complete {4}36 requests \(200: 33, 404: 2, 422: 1\)/);
  });

  it('refuses wrong options', async () => {
    await expect(traffic('--per-day', '5')).rejects.toMatchObject({ name: 'ZodError' });
    await expect(traffic('--unknown')).rejects.toMatchObject({ name: 'TypeError' });
  });
});
