import { serviceNames } from '@casewatch/contracts';
import { startMongo, startNats } from '@casewatch/testing';
import { end, pathOf, startProcess } from '../kit/processes.ts';

/** The servers without clients, and as many Node processes as there are services. */
export async function startBare() {
  const [mongo, nats] = await Promise.all([startMongo({ own: true }), startNats({ declares: false })]);
  const file = pathOf('tools/bench/src/idle/bare-main.ts');
  const env = { TARGET_PORT: new URL(nats.url).port };
  const processes = await Promise.all(
    serviceNames.map(async (name) => [name, await startProcess(file, env, { readyText: 'ready' })] as const),
  );
  const pids = { mongod: mongo.pid ?? 0, 'nats-server': nats.pid ?? 0 };
  return {
    pids: { ...pids, ...Object.fromEntries(processes.map(([name, { pid }]) => [name, pid])) },
    async stop(): Promise<void> {
      await Promise.all(processes.map(([, process]) => end(process)));
      await Promise.all([mongo.stop(), nats.stop()]);
    },
  };
}
