import type { EventData } from '@casewatch/contracts';
import { type Bus, type Clock, type RunningService, start } from '@casewatch/platform';
import type { Connection } from '@casewatch/platform/database';
import {
  connectAs,
  connectDatabase,
  type Sibling,
  startMongo,
  startNats,
  startSibling,
  type TestMongo,
  type TestNats,
} from '@casewatch/testing';
import { monitor } from '../../src/service.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { createGovernment, type Government } from './government.ts';
import { type StandIn, settingsOf, startStandIn } from './stand-in.ts';

type CaseEvent = 'case.created' | 'case.updated' | 'case.deleted';

/** Real servers, the government's stand-in, and cases' side of the bus: what a monitor lives in. */
export type World = {
  government: Government;
  /** The events that cases got, in the order of arrival. */
  updates: EventData<'status.updated'>[];
  changes: EventData<'status.monitoring_changed'>[];
  checked: EventData<'status.checked'>[];
  overdue: EventData<'status.check_overdue'>[];
  cases: Sibling<'cases'>;
  /** Identity's side of the bus. */
  identity: Bus;
  nats: TestNats;
  /** The monitor's own collections, to be looked into. */
  stores: Stores;
  monitorDb: Pick<Connection, 'collection'> & { command(command: object): Promise<unknown> };
  /** The monitors that were started, in this order. */
  monitors: RunningService[];
  /** Who asked for what, as it is recorded. */
  callerChecks(): Promise<{ caller: string; receipt_hash: string }[]>;
  startMonitor(settings?: Record<string, string>, clock?: Clock): Promise<RunningService>;
  /** Stops all monitors, and starts one. */
  restartMonitors(): Promise<void>;
  /** The environment of a monitor, for one that runs in a process of its own. */
  environment(settings?: Record<string, string>): Record<string, string>;
  publish<T extends CaseEvent>(type: T, data: EventData<T>): Promise<void>;
  stop(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** Six hours are 0.4 s at this scale. */
export const fastScale = '0.00002';

export async function startWorld(startGovernment = startStandIn): Promise<World> {
  const [mongo, nats, sandbox] = await Promise.all([startMongo(), startNats(), startGovernment()]);
  const monitors: RunningService[] = [];
  const updates: World['updates'] = [];
  const changes: World['changes'] = [];
  const checked: World['checked'] = [];
  const overdue: World['overdue'] = [];
  const cases = await startSibling('cases', nats);
  await cases.consume({
    'status.updated': async (data) => void updates.push(data),
    'status.monitoring_changed': async (data) => void changes.push(data),
    'status.check_overdue': async (data) => void overdue.push(data),
  });
  cases.bus.subscribe('status.checked', async (data) => void checked.push(data));
  const identity = await connectAs(nats, 'identity');
  const db = await connectDatabase(mongo.url('monitor'));
  const environment = (settings = {}) => ({ ...monitorEnvironment({ mongo, nats, sandbox }), ...settings });

  async function stop(): Promise<void> {
    await Promise.all(monitors.map((monitor) => monitor.stop()));
    await Promise.all([cases.stop(), identity.stop()]);
    await db.close();
    await Promise.all([sandbox.stop(), nats.stop()]);
    await mongo.stop();
  }

  return {
    government: createGovernment(sandbox.uscis_url),
    updates,
    changes,
    checked,
    overdue,
    cases,
    identity,
    nats,
    stores: createStores(db),
    monitorDb: {
      collection: db.collection.bind(db) as Connection['collection'],
      command: async (command) => await db.db?.command(command),
    },
    monitors,
    environment,
    async callerChecks() {
      const rows = await db.collection('caller_checks').find().toArray();
      return rows.map(({ caller, receipt_hash }) => ({ caller, receipt_hash }));
    },
    async startMonitor(settings = {}, clock) {
      const running = await start(monitor, environment(settings), clock && { clock });
      monitors.push(running);
      return running;
    },
    async restartMonitors() {
      await Promise.all(monitors.splice(0).map((monitor) => monitor.stop()));
      monitors.push(await start(monitor, environment()));
    },
    async publish(type, data) {
      await cases.publish(type, data);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

type Servers = { mongo: TestMongo; nats: TestNats; sandbox: StandIn };

function monitorEnvironment({ mongo, nats, sandbox }: Servers): Record<string, string> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    ...nats.user('monitor'),
    MONGODB_URL: mongo.url('monitor'),
    ...settingsOf(sandbox),
    USCIS_RATE_PER_SECOND: '50',
    // So much that intervals are not stretched and the day is not spread, unless a test says otherwise.
    USCIS_DAILY_BUDGET: '1000000000',
    MONITOR_AHEAD_HOURS: '24',
    MONITOR_INTERVAL_SCALE: fastScale,
  };
}
