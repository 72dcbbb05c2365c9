import { freePort, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { check, checkUntilSeen, created, senderAnswers, someCase } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const receipt = 'EAC9999103403';

/** The hours of another day than today, so that it is closed now. */
function otherDay(): string {
  const yesterday = new Date(Date.now() - 86_400_000);
  const day = yesterday.toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' }).toLowerCase();
  return `${day} 00:00-24:00 UTC`;
}

/** Each test has a world of its own, so that their waits overlap. */
async function inWorld(run: (sender: ReturnType<typeof senderIn>) => Promise<void>): Promise<void> {
  const world = await startWorld();
  try {
    await run(senderIn(world));
  } finally {
    await world.stop();
  }
}

function senderIn(world: World) {
  return {
    world,
    async start(settings = {}): Promise<void> {
      await world.startMonitor(settings);
      await senderAnswers(world, {}, receipt);
    },
    refusal: () =>
      check(world, receipt).then(
        () => null,
        (error: { code: string; retryAfterS: number }) => error,
      ),
    asked: async () => (await world.government.ledger()).length,
  };
}

describe('what the sender makes of the government’s word', () => {
  it('opens the breaker on five failures in a row, and answers at once from then on', () =>
    inWorld(async ({ world, start, refusal, asked }) => {
      await start();
      await world.government.fault({ mode: 'status', status: 500 });
      const before = await asked();
      for (let i = 0; i < 7; i++) expect(await refusal()).toMatchObject({ code: 'uscis_unavailable' });
      expect((await asked()) - before).toBe(5);
      const { retryAfterS } = (await refusal()) ?? { retryAfterS: 0 };
      expect(retryAfterS).toBeGreaterThan(30);
      expect(retryAfterS).toBeLessThanOrEqual(60);
      await waitFor(async () => (await world.stores.control.read()).health?.breaker === 'open');
      expect(await world.stores.control.read()).toMatchObject({ upstream: 'unreachable' });
    }));

  it('keeps the breaker open over a take-over', () =>
    inWorld(async ({ world, refusal, asked }) => {
      const first = await world.startMonitor();
      await senderAnswers(world, {}, receipt);
      await world.government.fault({ mode: 'status', status: 401 });
      expect(await refusal()).toMatchObject({ code: 'uscis_unavailable' });
      await waitFor(async () => (await world.stores.control.read()).health?.breaker === 'open');
      await first.stop();
      const before = await asked();
      await world.startMonitor();
      await waitFor(async () => (await refusal())?.code === 'uscis_unavailable', { what: 'the next sender' });
      expect(await asked()).toBe(before);
    }));

  it('goes on at half the pace after spike arrests: who waits is answered all the same', () =>
    inWorld(async ({ world, start }) => {
      await start({ USCIS_RATE_PER_SECOND: '20' });
      await world.government.limits({ rate_per_second: 0.2 });
      const waiting = check(world, receipt);
      const arrests = async () =>
        (await world.government.ledger()).filter(({ status }) => status === 429).length;
      await waitFor(async () => (await arrests()) > 0, { intervalMs: 5 });
      await world.government.limits({ rate_per_second: 1_000 });
      expect((await waiting).outcome).toBe('seen');
      // A lone one is borne with; more of them are not.
      await world.government.limits({ rate_per_second: 0.2 });
      await waitFor(
        async () => {
          await check(world, receipt).catch(() => null);
          return ((await world.stores.control.read()).health?.pace ?? 1) < 1;
        },
        { timeoutMs: 20_000, intervalMs: 500 },
      );
      await world.government.limits({ rate_per_second: 1_000 });
      // A spent quota would refuse it for 15 minutes.
      expect((await checkUntilSeen(world, receipt)).outcome).toBe('seen');
      const { interactive, background } = await world.stores.budget.read(
        new Date().toISOString().slice(0, 10),
      );
      // Counted in blocks: the retry is the background’s.
      expect([interactive, background]).toEqual([50, 50]);
    }));

  it.each([429, 503])('sends nothing after a %i until its Retry-After is over', (status: number) =>
    inWorld(async ({ world, start, refusal, asked }) => {
      await start();
      await world.government.fault({ mode: 'status', status, message: 'Wait.', retry_after_s: 3 });
      const waitedFromMs = performance.now();
      expect(await refusal()).toMatchObject({ code: 'uscis_unavailable', retryAfterS: 3 });
      await world.government.fault({ mode: 'none' });
      const before = await asked();
      const { retryAfterS } = (await refusal()) ?? { retryAfterS: 0 };
      expect([1, 2, 3]).toContain(retryAfterS);
      expect(await asked()).toBe(before);
      await waitFor(async () => (await refusal()) === null, { timeoutMs: 20_000 });
      expect(performance.now() - waitedFromMs).toBeGreaterThan(2_900);
      expect((await asked()) - before).toBe(1);
    }),
  );

  it('asks nothing more once the quota is called spent', () =>
    inWorld(async ({ world, start, refusal, asked }) => {
      await start();
      await world.government.limits({ daily_quota: 0 });
      const before = await asked();
      expect(await refusal()).toMatchObject({ code: 'uscis_unavailable' });
      const { retryAfterS } = (await refusal()) ?? { retryAfterS: 0 };
      expect(retryAfterS).toBeGreaterThan(14 * 60);
      expect((await asked()) - before).toBe(1);
    }));

  it('opens the breaker where receipts that were seen before are rejected, and goes on watching them', () =>
    inWorld(async ({ world, start }) => {
      await start();
      const receipts = Array.from({ length: 6 }, (_, i) => `EAC${5_100_000_000 + i}`);
      for (const number of receipts) {
        await world.government.set(number, served('Case Was Received'));
        await world.publish('case.created', created(someCase(number), null, 'deferred'));
      }
      const rows = () => Promise.all(receipts.map((number) => world.stores.receipts.find(number)));
      await waitFor(async () => (await rows()).every((row) => row?.facts), { timeoutMs: 20_000 });
      await world.government.fault({ mode: 'status', status: 422 });
      await waitFor(async () => (await world.stores.control.read()).health?.breaker === 'open', {
        timeoutMs: 20_000,
      });
      for (const row of await rows()) expect(row).toMatchObject({ state: 'watched', rejections: null });
      expect(world.changes).toEqual([]);
    }));

  it('rests in known closing hours without asking, and says when it opens', () =>
    inWorld(async ({ world, refusal, asked }) => {
      await world.startMonitor({ USCIS_HOURS: otherDay() });
      await waitFor(async () => (await world.stores.control.read()).upstream === 'closed');
      const reference = someCase(receipt);
      await world.publish('case.created', created(reference, null, 'deferred'));
      await waitFor(async () => (await world.stores.watches.find(reference.id)) !== null);
      const error = await waitFor(async () => {
        const said = await refusal();
        return said && said.retryAfterS > 60 && said;
      });
      expect(error).toMatchObject({ code: 'uscis_unavailable' });
      expect(error.retryAfterS).toBeGreaterThan(24 * 60 * 60);
      expect(await asked()).toBe(0);
      expect((await world.stores.control.read()).health).toMatchObject({ breaker: 'closed' });
    }));

  it('refuses within seconds where no turn comes in time', () =>
    inWorld(async ({ world, start }) => {
      await start({ USCIS_RATE_PER_SECOND: '0.2', USCIS_PACE_MARGIN: '0' });
      const said = await Promise.all(
        Array.from({ length: 3 }, (_, i) =>
          check(world, `EAC${6_000_000_000 + i}`).then(
            () => null,
            (error: unknown) => error,
          ),
        ),
      );
      const refused = said.filter((error) => error !== null);
      expect(refused.length).toBeGreaterThanOrEqual(2);
      for (const error of refused) expect(error).toMatchObject({ code: 'uscis_unavailable', retryAfterS: 1 });
    }));

  it('stops at the operator’s word, and goes on', () =>
    inWorld(async ({ world, start, refusal, asked }) => {
      await start();
      await world.government.set('EAC5000000077', served('Case Was Received'));
      await world.publish('case.created', created(someCase('EAC5000000077'), null, 'deferred'));
      await waitFor(async () => (await world.government.ledger('EAC5000000077')).length > 1);
      await world.stores.control.setPaused(new Date());
      await waitFor(async () => (await world.stores.control.read()).upstream === 'unreachable');
      const before = await asked();
      expect(await refusal()).toMatchObject({ code: 'uscis_unavailable', retryAfterS: 60 });
      expect(await asked()).toBe(before);
      await world.stores.control.setPaused(null);
      await waitFor(async () => (await asked()) > before);
    }));

  it('shows how it fares as metrics, without a receipt number', () =>
    inWorld(async ({ start }) => {
      const port = await freePort();
      await start({ METRICS_PORT: String(port), USCIS_DAILY_BUDGET: '1000000' });
      const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      // The quota is measured every 10 s, not while it is read.
      await waitFor(async () => (await read()).includes('monitor_quota_used{lane="interactive"} 50'), {
        timeoutMs: 30_000,
      });
      const text = await read();
      for (const line of [
        /^monitor_requests_total\{lane="interactive",result="seen"\} \d+/m,
        /^monitor_breaker_open 0/m,
        /^monitor_pace 1/m,
        /^monitor_quota_used\{lane="interactive"\} 50/m,
        // 850,000, and what live checks have not used of the day so far.
        /^monitor_quota_left\{lane="background"\} (8[5-9]|9\d)\d{4}$/m,
      ])
        expect(text).toMatch(line);
      expect(text).not.toContain(receipt);
    }));
});
