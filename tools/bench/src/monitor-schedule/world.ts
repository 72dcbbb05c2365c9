import { freePort, startMongo, startNats, startSibling, tempFolder, waitFor } from '@casewatch/testing';
import { end, type Running } from '../processes.ts';
import { scaleOf } from './interval.ts';
import { startGovernment, startMonitor } from './processes.ts';
import { receiptAt } from './receipts.ts';
import { openStore, type Store } from './stored-receipts.ts';

const patienceMs = 60_000;

export type Counts = {
  answered: number;
  refused: number;
  first_requests: number;
  late_p50_ms: number;
  late_p99_ms: number;
  late_max_ms: number;
};

/** Real servers, the government in a process of its own, and the monitor in another. */
export async function startWorld(rate: number, cacheGiB: number) {
  const [mongo, nats, government, folder] = await Promise.all([
    startMongo({ own: true, cacheGiB }),
    startNats(),
    startGovernment(rate),
    tempFolder(),
  ]);
  const { url } = JSON.parse(government.first) as { url: string };
  const store: Store = await openStore(mongo.url('monitor'));
  const metricsPort = await freePort();
  if (mongo.pid === undefined) throw new Error('the bench needs a mongod that is a process of this machine');

  const environment = (settings: Record<string, string>) => ({
    NODE_ENV: 'test',
    // As in deploy/k8s/base/monitor.
    NODE_OPTIONS: '--max-old-space-size=240',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: String(metricsPort),
    ...nats.user('monitor'),
    MONGODB_URL: mongo.url('monitor'),
    USCIS_TOKEN_URL: `${url}/oauth/accesstoken`,
    USCIS_API_URL: `${url}/case-status`,
    USCIS_CLIENT_ID: 'an-id',
    USCIS_CLIENT_SECRET: 'a-secret-of-the-bench-alone',
    USCIS_RATE_PER_SECOND: String(rate),
    USCIS_DAILY_BUDGET: '1000000000',
    MONITOR_AHEAD_HOURS: '24',
    ...settings,
  });

  return {
    store,
    governmentPid: government.pid,
    mongodPid: mongo.pid,
    folder: folder.path,
    /** `intervalMs`: how long after a check the next one is due. */
    startMonitor: (intervalMs: number) =>
      startMonitor(environment({ MONITOR_INTERVAL_SCALE: String(scaleOf(intervalMs)) })),

    async counts(): Promise<Counts> {
      return (await (await fetch(`${url}/counts`)).json()) as Counts;
    },

    async tellDueTimes(file: string): Promise<void> {
      await fetch(`${url}/due?file=${encodeURIComponent(file)}`);
    },

    async metrics(): Promise<string> {
      return await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    },

    /** One receipt watched in the ordinary way, after which all others are made. */
    async template(): Promise<NonNullable<Awaited<ReturnType<Store['template']>>>> {
      const cases = await startSibling('cases', mongo, nats);
      const monitor: Running = await startMonitor(environment({}));
      const reference = {
        id: 1,
        user_case_id: 'FLOW0000001',
        receipt_number: receiptAt(-1),
        user_id: 1,
        partner_id: 1,
      };
      const created = { case: reference, watched: true, active: true, version: 1, baseline: null };
      await cases.publish('case.created', { ...created, first_check: 'deferred' });
      const template = await waitFor(() => store.template(), {
        timeoutMs: patienceMs,
        what: 'the first check',
      });
      await end(monitor);
      await cases.stop();
      return template;
    },

    async stop(): Promise<void> {
      await store.close();
      await end(government);
      await nats.stop();
      await mongo.stop();
      await folder.remove();
    },
  };
}

export type BenchWorld = Awaited<ReturnType<typeof startWorld>>;
