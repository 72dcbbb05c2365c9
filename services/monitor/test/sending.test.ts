import { type Program, type WaitOptions, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { check, created, senderAnswers, someCase } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startMonitorProcess } from './support/monitor-process.ts';
import { startStandInApart } from './support/stand-in.ts';
import { startWorld, type World } from './support/world.ts';

/** None of these waits is under test. */
const patiently = (options: WaitOptions = {}): WaitOptions => ({
  timeoutMs: 40_000,
  intervalMs: 100,
  ...options,
});

type Running = {
  world: World;
  start(settings?: Record<string, string>): Promise<Program>;
  watchMany(count: number): Promise<void>;
};

/** A test with a world of its own, whose monitors are processes. */
function inWorld(test: (running: Running) => Promise<void>): () => Promise<void> {
  return async () => {
    const world = await startWorld(startStandInApart);
    const children: Program[] = [];
    try {
      await test({
        world,
        async start(settings) {
          const child = await startMonitorProcess(world, settings);
          children.push(child);
          return child;
        },
        async watchMany(count) {
          for (let i = 0; i < count; i++) {
            const receipt = `WAC${4_000_000_000 + i}`;
            await world.government.set(receipt, served('Case Was Received'));
            await world.publish('case.created', created(someCase(receipt), null, 'deferred'));
          }
        },
      });
    } finally {
      await Promise.all(children.map(({ end }) => end('SIGKILL')));
      await world.stop();
    }
  };
}

/**
 * The shortest time of `gaps` gaps in a row, ms. A busy machine delays single requests on their way, so that one gap
 * may be shorter than the sender's: tests compare ten, less two. Exact gaps are the bench's.
 */
function shortestSpanMs(rows: readonly { time: string }[], gaps: number): number {
  const times = rows.map(({ time }) => Date.parse(time));
  return Math.min(...times.slice(gaps).map((time, i) => time - (times[i] ?? 0)));
}

describe('sending', () => {
  it(
    'never exceeds the rate while more is due, and uses it',
    inWorld(async ({ world, start, watchMany }) => {
      await start({ USCIS_RATE_PER_SECOND: '4' });
      // All of them are due at once.
      await watchMany(80);
      await waitFor(async () => (await world.government.ledger()).length > 10, patiently());
      // A request outside the pace comes within 125 ms of another: the stand-in refuses it.
      await world.government.limits({ rate_per_second: 8 });
      const before = await world.government.ledger();
      const interactive = await check(world, 'EAC9999103403');
      expect(interactive.outcome).toBe('seen');
      await waitFor(async () => (await world.government.ledger()).length >= before.length + 30, {
        timeoutMs: 60_000,
        intervalMs: 500,
      });
      const rows = await world.government.ledger();
      expect(rows.filter(({ status }) => status === 429)).toEqual([]);
      const paced = rows.slice(before.length, before.length + 30);
      expect(shortestSpanMs(paced, 10)).toBeGreaterThanOrEqual(8 * 250);
      const spanMs = shortestSpanMs(paced, 29);
      // 29 gaps of 250 ms at least, less what the first was late; a machine that is busy elsewhere may take longer.
      expect(spanMs).toBeGreaterThanOrEqual(28 * 250);
      expect(spanMs).toBeLessThan(29 * 500);
    }),
  );

  it(
    'never exceeds the budget of the day, over restarts, and leaves the rest of the interactive share alone',
    inWorld(async ({ world, start, watchMany }) => {
      const settings = {
        USCIS_DAILY_BUDGET: '30',
        USCIS_RATE_PER_SECOND: '100',
        // The day is not spread, and the one partner may use the whole lane.
        MONITOR_AHEAD_HOURS: '24',
        MONITOR_PARTNER_SHARE: '1',
      };
      const first = await start(settings);
      // More than the day allows; a day this small stretches intervals so far that none is due a second time.
      await watchMany(40);
      const background = async () =>
        (await world.government.ledger()).filter(({ receipt }) => receipt.startsWith('WAC'));
      await waitFor(async () => (await background()).length >= 10, patiently());
      await first.end('SIGTERM');
      await start(settings);
      // 30, less the 5 that are 15 %, rounded up; a permit or two may be lost with the first process.
      await waitFor(async () => (await background()).length >= 23, patiently({ what: 'the budget’s end' }));
      for (let i = 0; i < 5; i++) await check(world, 'EAC9999103404').catch(() => null);
      await waitFor(
        async () =>
          check(world, 'EAC9999103404').then(
            () => false,
            (error) => error.code === 'uscis_unavailable',
          ),
        patiently(),
      );
      const { length } = await world.government.ledger();
      expect(length).toBeGreaterThanOrEqual(28);
      expect(length).toBeLessThanOrEqual(30);
      // 5 are for live checks; of these, the part of the day that is over is released.
      const dayLeft = 1 - (Date.now() % 86_400_000) / 86_400_000;
      expect((await background()).length).toBeLessThanOrEqual(30 - Math.ceil(5 * dayLeft));
    }),
  );

  it(
    'lets one replica send, and another take over within 16 s when it is killed',
    inWorld(async ({ world, start, watchMany }) => {
      // Three receipts are due ten times a second.
      const settings = { USCIS_RATE_PER_SECOND: '10' };
      const first = await start(settings);
      await senderAnswers(world, patiently());
      await start(settings);
      await watchMany(3);
      await waitFor(async () => (await world.government.ledger('WAC4000000001')).length >= 2, patiently());
      await first.end('SIGKILL');
      const killedMs = Date.now();
      const { length } = await world.government.ledger();
      await expect(check(world, 'EAC9999103403')).rejects.toMatchObject({ code: 'service_unavailable' });
      await waitFor(async () => (await world.government.ledger()).length > length, {
        timeoutMs: 20_000,
        intervalMs: 100,
      });
      expect(Date.now() - killedMs).toBeLessThan(16_500);
      await world.government.set('WAC4000000001', served('Case Was Approved'));
      await waitFor(() => world.updates.some(({ skip_reason }) => skip_reason === null), patiently());
      const afterKill = async () => (await world.government.ledger()).slice(length);
      await waitFor(async () => (await afterKill()).length > 20, patiently());
      // Two senders would need half of this time.
      expect(shortestSpanMs(await afterKill(), 10)).toBeGreaterThanOrEqual(8 * 100);
    }),
  );

  it(
    'lets a frozen sender send nothing after its lease, and answer nothing',
    inWorld(async ({ world, start, watchMany }) => {
      const settings = { USCIS_RATE_PER_SECOND: '4' };
      const { child: first } = await start(settings);
      await senderAnswers(world, patiently());
      await watchMany(20);
      await waitFor(async () => (await world.government.ledger()).length > 5, patiently());
      await start(settings);
      // Frozen between two requests. A request that was allowed and not yet written leaves when the process wakes up:
      // no sender can prevent that, so the process is stopped just after a request, far from the next.
      const { length: before } = await world.government.ledger();
      await waitFor(
        async () => (await world.government.ledger()).length > before,
        patiently({ intervalMs: 5 }),
      );
      first.kill('SIGSTOP');
      // Each process has a token of its own.
      const frozen = (await world.government.ledger()).at(-1)?.token;
      const others = async () => (await world.government.ledger()).filter(({ token }) => token !== frozen);
      await waitFor(async () => (await others()).length > 5, { timeoutMs: 60_000, intervalMs: 100 });
      // Every request reaches the one that sends, though the frozen one is still subscribed.
      for (let i = 0; i < 20; i++) expect((await check(world, 'EAC9999103403')).outcome).toBe('seen');
      // What it will find when it wakes up: requests that wait, and a due queue of long ago.
      const asked = Array.from({ length: 5 }, () => check(world, 'EAC9999103404'));
      const { length } = await world.government.ledger();
      first.kill('SIGCONT');
      expect((await Promise.all(asked)).map(({ outcome }) => outcome)).toEqual(Array(5).fill('seen'));
      await waitFor(async () => (await world.government.ledger()).length > length + 20, {
        intervalMs: 200,
        timeoutMs: 60_000,
      });
      const rows = (await world.government.ledger()).slice(length);
      expect(rows.filter(({ token }) => token === frozen)).toEqual([]);
    }),
  );
});
