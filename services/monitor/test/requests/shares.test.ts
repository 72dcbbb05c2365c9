import type { ReplyData, RequestInput } from '@casewatch/contracts';
import type { RunningService } from '@casewatch/platform';
import { freePort, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createQuotaDays } from '../../src/domain/quota-day.ts';
import { startWorld, type World } from '../support/world.ts';

type Caller = RequestInput<'monitor.check'>['caller'];

const partner = (id: number): Caller => ({ partner_id: id, user_id: null });
const direct = (id: number): Caller => ({ partner_id: null, user_id: id });

describe('callers’ shares of the government’s day', () => {
  let world: World;
  let metricsPort: number;
  let last = 8_000_000_000;
  const newReceipt = () => `LIN${++last}`;

  beforeEach(async () => {
    world = await startWorld();
    metricsPort = await freePort();
  });
  afterEach(() => world.stop());

  /** A monitor with a day of 100 checks: 5 for a partner, 10 for all direct users together. */
  async function start(settings: Record<string, string> = {}): Promise<RunningService> {
    const own = { USCIS_DAILY_BUDGET: '100', METRICS_PORT: String(metricsPort), ...settings };
    const monitor = await world.startMonitor({ USCIS_RATE_PER_SECOND: '200', ...own });
    await waitFor(async () => (await world.stores.control.read()).sender_seen_at !== null, {
      what: 'a sender',
    });
    // Its subscription is known to the server when it has answered once; what nobody watches is not charged twice.
    await waitFor(() => ask(partner(999)).catch(() => null), { what: 'an answer' });
    return monitor;
  }

  function ask(caller: Caller, receipt = newReceipt(), max_age_s = 0): Promise<ReplyData<'monitor.check'>> {
    return world.cases.bus.request('monitor.check', { receipt_number: receipt, caller, max_age_s });
  }
  const outcomes = async (count: number, caller: () => Caller) => {
    const said: string[] = [];
    for (let i = 0; i < count; i++)
      said.push(
        await ask(caller()).then(
          ({ outcome }) => outcome,
          ({ code }: { code: string }) => code,
        ),
      );
    return said;
  };
  const many = (count: number, what: string) => Array.from({ length: count }, () => what);

  it('are 5 % of the day for a partner and all its users, each partner for itself', async () => {
    await start();
    let user = 0;
    const someOfIt = () => ({ partner_id: 1, user_id: ++user % 2 === 0 ? null : user });
    expect(await outcomes(7, someOfIt)).toEqual([...many(5, 'not_found'), ...many(2, 'rate_limited')]);
    expect(await outcomes(1, () => partner(2))).toEqual(['not_found']);
  });

  it('are exact where many ask at the same time, and over a restart', async () => {
    const first = await start();
    const askAll = async (count: number) => {
      const asked = Array.from({ length: count }, () =>
        ask(partner(1)).then(
          () => 1,
          () => 0,
        ),
      );
      return (await Promise.all(asked)).reduce<number>((sum, one) => sum + one, 0);
    };
    const before = await askAll(3);
    await first.stop();
    await start();
    expect(before + (await askAll(20))).toBe(5);
  });

  it('end with the time when they are whole again', async () => {
    await start({ USCIS_QUOTA_RESET_TZ: 'America/New_York' });
    await outcomes(5, () => partner(1));
    const refusal = await ask(partner(1)).catch((error: unknown) => error);
    const leftS = createQuotaDays('America/New_York', null).msUntilNext(new Date()) / 1_000;
    expect(refusal).toMatchObject({ code: 'rate_limited', status: 429 });
    const { retryAfterS } = refusal as { retryAfterS: number };
    expect(Math.abs(retryAfterS - leftS)).toBeLessThan(30);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/monitor_shares_refused_total\{caller="partner"\} 1/);
  });

  it('are 20 for a direct user, and 10 % of the day for all of them together', async () => {
    await start({ USCIS_DAILY_BUDGET: '250', MONITOR_INTERACTIVE_MOST: '1' });
    expect(await outcomes(21, () => direct(1))).toEqual([...many(20, 'not_found'), 'rate_limited']);
    // 25 in all: what the second one is refused costs nobody anything.
    expect(await outcomes(7, () => direct(2))).toEqual([...many(5, 'not_found'), ...many(2, 'rate_limited')]);
    expect(await outcomes(1, () => partner(1))).toEqual(['not_found']);
  });

  it('are a partner’s own number where the operator gave it one', async () => {
    await start();
    await world.stores.callerShares.setLimit(1, 2);
    expect(await outcomes(3, () => partner(1))).toEqual([...many(2, 'not_found'), 'rate_limited']);
    await world.stores.callerShares.setLimit(1, null);
    expect(await outcomes(4, () => partner(1))).toEqual([...many(3, 'not_found'), 'rate_limited']);
  });

  it('are told to identity, which shows them to the partner', async () => {
    await start({ USCIS_DAILY_BUDGET: '250' });
    const told = async () =>
      (await world.identity.request('monitor.share', { partner_id: 1 })).live_checks_per_day;
    expect(await told()).toBe(12);
    await world.stores.callerShares.setLimit(1, 2);
    expect(await told()).toBe(2);
  });

  it('are not touched by answers from the store, by joining another, or by what was not sent', async () => {
    await start();
    const receipt = 'EAC9999103403';
    // Slow enough that the second and third request join the check of the first.
    await world.government.fault({ mode: 'slow', delay_ms: 1_000, receipts: [receipt] });
    await Promise.all([ask(partner(1), receipt), ask(partner(1), receipt), ask(partner(1), receipt)]);
    await world.government.fault({ mode: 'none' });
    for (let i = 0; i < 10; i++)
      expect(await ask(partner(1), receipt, 900)).toMatchObject({ source: 'cache' });
    await world.stores.control.setPaused(new Date());
    const isPaused = () =>
      ask(partner(3)).then(
        () => false,
        ({ code }) => code === 'uscis_unavailable',
      );
    await waitFor(isPaused, { what: 'the pause' });
    expect(await outcomes(9, () => partner(1))).toEqual(many(9, 'uscis_unavailable'));
    await world.stores.control.setPaused(null);
    await waitFor(() => ask(partner(4)).catch(() => null), { what: 'its end' });
    expect(await outcomes(5, () => partner(1))).toEqual([...many(4, 'not_found'), 'rate_limited']);
  });

  it('leave the rest of the day to the schedule: 30 % at most are interactive', async () => {
    await start();
    let id = 10;
    const said = await outcomes(40, () => partner(++id));
    expect(said.filter((one) => one === 'not_found').length).toBeLessThanOrEqual(30);
    expect(said.at(-1)).toBe('uscis_unavailable');
    expect(await world.stores.budget.read(new Date().toISOString().slice(0, 10))).toEqual({
      interactive: 30,
      background: 0,
    });
    expect((await world.government.ledger()).length).toBe(30);
  });

  it('go with a record of each check, and an alarm at a run of neighbouring numbers', async () => {
    await start({ MONITOR_PARTNER_SHARE: '1' });
    const alarms = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/monitor_neighbour_alarms_total (\d+)/.exec(text)?.[1] ?? 0);
    };
    const number = (i: number) => `SRC${7_000_000_000 + i}`;
    // Far from each other, or the same again and again: nothing to say.
    for (let i = 0; i < 6; i++) await ask(partner(1), number(i * 100));
    for (let i = 0; i < 6; i++) await ask(partner(1), number(0), 900);
    expect(await alarms()).toBe(0);
    for (let i = 1; i <= 11; i++) await ask(partner(2), number(i));
    await waitFor(async () => (await alarms()) === 1, { what: 'the alarm' });
    await ask(partner(2), number(12));
    expect(await alarms()).toBe(1);
    const rows = await world.callerChecks();
    expect(rows.filter(({ caller }) => caller === 'partner/1')).toHaveLength(12);
    expect(JSON.stringify(rows)).not.toContain('SRC7');
  });
});
