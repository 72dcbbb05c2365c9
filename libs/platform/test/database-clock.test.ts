import { type Base, createBase } from '@casewatch/platform';
import { databaseTime, readDatabaseClock } from '@casewatch/platform/database';
import {
  emptyDatabase,
  type FailingMongo,
  startFailingMongo,
  startNats,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

const hourMs = 60 * 60_000;

describe('the time of a service', () => {
  let mongo: FailingMongo;
  let nats: TestNats;
  const bases: Base<'cases'>[] = [];
  beforeAll(async () => {
    [mongo, nats] = await Promise.all([startFailingMongo(), startNats()]);
  });
  afterEach(async () => {
    await mongo.failPoint('failCommand', 'off');
    await Promise.all(bases.splice(0).map((base) => base.stop()));
  });
  afterAll(async () => {
    await Promise.all([mongo.stop(), nats.stop()]);
  });

  /** A service on a machine whose clock is `ahead` of this one's, ms. */
  async function start(machine: { ahead: number }): Promise<Base<'cases'>> {
    const base = await createBase(
      'cases',
      {
        LOG_LEVEL: 'silent',
        HOST: '127.0.0.1',
        METRICS_PORT: 0,
        MONGODB_URL: mongo.url('cases'),
        ...nats.user('cases'),
      },
      emptyDatabase,
      { wallClock: { now: () => new Date(Date.now() + machine.ahead) } },
    );
    bases.push(base);
    return base;
  }

  /** From before a read of the database's time until after it. */
  async function differenceMs({ clock, db }: Pick<Base<'cases'>, 'clock' | 'db'>): Promise<number> {
    const before = clock.now().getTime();
    const time = (await databaseTime(db)).getTime();
    const after = clock.now().getTime();
    return time < before ? before - time : Math.max(0, time - after);
  }

  async function shown(base: Base<'cases'>, name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${base.metricsPort}/metrics`)).text();
    const line = text.split('\n').find((line) => line.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  }

  it.each([0, 90_000, -90_000, hourMs, -hourMs, 400 * 24 * hourMs])(
    'is that of its database where the machine is %d ms ahead, and the difference is shown',
    async (ahead) => {
      const base = await start({ ahead });
      expect(await differenceMs(base)).toBeLessThan(250);
      const wall = await shown(base, 'clock_difference{clock="wall"}');
      expect(Math.abs(wall - ahead / 1_000)).toBeLessThan(1);
      expect(Math.abs(await shown(base, 'clock_difference{clock="source"}'))).toBeLessThan(1);
      const time = await shown(base, 'clock_time');
      expect(Math.abs(time - Date.now() / 1_000)).toBeLessThan(30);
    },
  );

  it('is known while nothing happens to the machine, and is measured again after a suspension before anything else', async () => {
    const machine = { ahead: 0 };
    const base = await start(machine);
    expect(base.measured()).toBeUndefined();
    machine.ahead = hourMs;
    const measuring = base.measured();
    expect(measuring).toBeInstanceOf(Promise);
    // Each that asks waits for the same answer.
    expect(base.measured()).toBe(measuring);
    await measuring;
    expect(base.measured()).toBeUndefined();
    expect(await differenceMs(base)).toBeLessThan(250);
  });

  it('is refused with 503 as long as the database does not say it after a suspension', async () => {
    const machine = { ahead: 0 };
    const base = await start(machine);
    const hangs = { failCommands: ['hello'], blockConnection: true, blockTimeMS: 3_000 };
    await mongo.failPoint('failCommand', 'alwaysOn', hangs);
    machine.ahead = hourMs;
    await expect(base.measured()).rejects.toMatchObject({ code: 'service_unavailable' });
    await mongo.failPoint('failCommand', 'off');
    await waitFor(
      async () => {
        await base.measured()?.catch(() => undefined);
        return base.measured() === undefined;
      },
      { timeoutMs: 20_000, what: 'the time' },
    );
    expect(await differenceMs(base)).toBeLessThan(250);
  });

  it('of a command is the database’s too', async () => {
    const base = await start({ ahead: 0 });
    expect(await differenceMs({ clock: await readDatabaseClock(base.db), db: base.db })).toBeLessThan(1_000);
  });

  it('is a given clock where there is one', async () => {
    const clock = { now: () => new Date(7) };
    const settings = {
      LOG_LEVEL: 'silent',
      MONGODB_URL: mongo.url('cases'),
      ...nats.user('cases'),
    };
    const base = await createBase('cases', settings, emptyDatabase, { clock });
    bases.push(base);
    expect([base.clock.now(), base.wallClock.now(), base.measured()]).toEqual([
      new Date(7),
      new Date(7),
      undefined,
    ]);
  });
});
