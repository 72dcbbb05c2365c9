/** How long each service takes from its start until it is ready, one after the other, with Node's compile cache. */
import { connectAs, tempFolder } from '@casewatch/testing';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { cpuSeconds, end, pathOf, type Running, startProcess } from './kit/processes.ts';
import { startServers } from './kit/servers.ts';
import { median } from './kit/statistics.ts';
import { monitorEnv } from './monitor/environment.ts';
import { environment } from './notifier/events.ts';
import { answerAsMonitor } from './requests/monitor.ts';
import { createDatabaseUser, settingsOfServices } from './requests/services.ts';

/** Longest time on an idle core, ms. */
const aim = 1_500;
/** Nothing is sent before a service is ready. */
const nowhere = '127.0.0.1:9';

const { rounds } = numberOptions({ rounds: 5 });
exitOnSignals();
const servers = await startServers();
const cache = await tempFolder();
const bus = await connectAs(servers.nats, 'monitor');
answerAsMonitor(bus);
const urlOf = await createDatabaseUser(servers);
const mails = { smtpUrl: `smtp://${nowhere}`, mongoUrl: urlOf('notifier') };
const settings: Record<string, Record<string, string>> = {
  ...(await settingsOfServices(servers, urlOf)).settings,
  notifier: { ...environment(mails), ...servers.nats.user('notifier') },
  monitor: {
    ...monitorEnv({ servers, uscisUrl: `http://${nowhere}`, rate: 1 }),
    MONGODB_URL: urlOf('monitor'),
  },
};
const starts: { service: string; ms: number; cpuMs: number }[] = [];
// The first round fills the cache and creates the collections; it does not count.
for (let round = 0; round <= rounds; round++) starts.push(...(await startAll()).slice(round === 0 ? 6 : 0));
await bus.stop();
await servers.stop();
await cache.remove();

say(`# ready: ${rounds} starts of each service`);
const byService = [...Map.groupBy(starts, ({ service }) => service)];
const rows = byService.map(([service, of]) => ({
  service,
  'median ms': median(of.map(({ ms }) => ms)).toFixed(0),
  'longest ms': Math.max(...of.map(({ ms }) => ms)).toFixed(0),
  'CPU ms': median(of.map(({ cpuMs }) => cpuMs)).toFixed(0),
}));
table(rows);
const isMet = rows.every((row) => Number(row['median ms']) <= aim);
say(`aim: ready within ${aim} ms on an idle core: ${isMet ? 'met' : 'NOT met'}`);
process.exitCode = isMet ? 0 : 1;

async function startAll(): Promise<typeof starts> {
  const running: Running[] = [];
  const measured: typeof starts = [];
  for (const [service, env] of Object.entries(settings)) {
    const startMs = performance.now();
    const file = pathOf(`services/${service}/src/main.ts`);
    const process = await startProcess(file, { ...env, NODE_COMPILE_CACHE: cache.path });
    const ms = performance.now() - startMs;
    measured.push({ service, ms, cpuMs: cpuSeconds(process.pid) * 1_000 });
    running.push(process);
  }
  await Promise.all(running.map((process) => end(process)));
  return measured;
}
