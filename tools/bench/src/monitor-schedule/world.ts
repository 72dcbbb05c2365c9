import { end, pathOf, startProcess } from '../kit/processes.ts';
import { startServers } from '../kit/servers.ts';
import { receiptAt } from '../monitor/cases.ts';
import { monitorEnv, startMonitor } from '../monitor/environment.ts';
import { makeTemplate, openStore } from '../monitor/store.ts';

type Options = { receipts: number; rate: number; cacheGiB: number };

/** The monitor's servers with the government, and a second mongod with the same rows for the control. */
export async function startWorld({ receipts, rate, cacheGiB }: Options) {
  const [servers, controlServers, government] = await Promise.all([
    startServers({ cacheGiB }),
    startServers({ cacheGiB }),
    startProcess(
      pathOf('tools/bench/src/monitor-schedule/government-main.ts'),
      { GOVERNMENT_RATE: String(rate) },
      { readyText: '"url"' },
    ),
  ]);
  const { url } = JSON.parse(government.readyLine) as { url: string };
  const envOf = (target: typeof servers, settings = {}) =>
    // As in deploy/k8s/base/monitor.
    monitorEnv({
      servers: target,
      uscisUrl: url,
      rate,
      settings: { NODE_OPTIONS: '--max-old-space-size=240', ...settings },
    });
  const prepare = async (target: typeof servers) => {
    const store = await openStore(target.mongo.url('monitor'));
    await store.fill(receipts, await makeTemplate(store, target, envOf(target), receiptAt(-1)));
    return store;
  };
  const [store, controlStore] = await Promise.all([prepare(servers), prepare(controlServers)]);

  const getJson = async <T>(path: string): Promise<T> => (await (await fetch(url + path)).json()) as T;

  return {
    stores: [store, controlStore] as const,
    governmentPid: government.pid,
    mongodPid: pidOf(servers),
    controlPid: pidOf(controlServers),
    /** `scale`: small for few receipts, so that their intervals may be shorter than 30 minutes. */
    startMonitor: (scale: number) => startMonitor(envOf(servers, { MONITOR_INTERVAL_SCALE: String(scale) })),
    counts: () => getJson<{ answered: number; refused: number }>('/counts'),
    async stop(): Promise<void> {
      await Promise.all([store.close(), controlStore.close()]);
      await end(government);
      await Promise.all([servers.stop(), controlServers.stop()]);
    },
  };
}

function pidOf({ mongo: { pid } }: { mongo: { pid: number | undefined } }): number {
  if (pid === undefined) throw new Error('the bench needs a mongod that is a process of this machine');
  return pid;
}

export type World = Awaited<ReturnType<typeof startWorld>>;
