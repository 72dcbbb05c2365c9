import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { startSandbox } from '@casewatch/sandbox';
import { freePort, tempFolder } from '@casewatch/testing';
import { addressesAt } from '../../../dev/src/addresses.ts';
import { dataDirAt, newLog } from '../../../dev/src/data-dir.ts';
import { openLimits } from '../../../dev/src/open-limits.ts';
import { assignPorts, freePortBase } from '../../../dev/src/ports.ts';
import { loadSecrets } from '../../../dev/src/secrets.ts';
import { seedDemo } from '../../../dev/src/seed/seed-demo.ts';
import { seedPartners } from '../../../dev/src/seed/seed-partners.ts';
import { settingsOfAll, settingsOfSandbox } from '../../../dev/src/settings.ts';
import { readEnvironment } from '../../../sandbox/src/environment.ts';
import { say } from '../kit/cli.ts';
import { end, startProcess } from '../kit/processes.ts';
import { startServers } from '../kit/servers.ts';

/** With the intervals of production no check of the demo's cases is due. */
const productionIntervals = { MONITOR_INTERVAL_SCALE: '1', WEBHOOKS_RETRY_SCALE: '1' };

/** The services of a checkout as `npm start` runs them, with its demo data. The stand-ins run in this process. */
export async function startWorld(checkout: string) {
  await using stack = new AsyncDisposableStack();
  const folder = await tempFolder();
  stack.defer(folder.remove);
  const natsMonitorPort = await freePort();
  const servers = await startServers({ natsMonitorPort });
  stack.defer(servers.stop);
  const data = dataDirAt(folder.path);
  const ports = assignPorts(await freePortBase());
  const urls = { mongodbUrl: servers.mongo.url('none'), natsUrl: servers.nats.url };
  const addresses = addressesAt(ports, urls);
  const source = { ports, addresses, secrets: loadSecrets(data.secrets), env: {} };
  const standIns = await startSandbox(readEnvironment(settingsOfSandbox(source, data)));
  stack.defer(standIns.stop);
  await openLimits(standIns.uscis_url);
  const settings = settingsOfAll(source);
  Object.assign(settings.monitor, productionIntervals);
  Object.assign(settings.webhooks, productionIntervals);
  const pids: Record<string, number> = {};
  for (const name of serviceNames.toSorted(gatewayLast)) {
    const database = name === 'gateway' ? {} : { MONGODB_URL: servers.mongo.url(name) };
    Object.assign(settings[name], { ...servers.nats.user(name), ...database });
    const service = await startProcess(join(checkout, `services/${name}/src/main.ts`), settings[name]);
    stack.defer(() => end(service));
    pids[name] = service.pid;
  }
  const { partner } = await seedPartners(settings.identity, newLog(data, 'seed'));
  const signal = new AbortController().signal;
  await seedDemo({ addresses, partner, data, hint: '', say, signal });
  const ends = stack.move();
  return {
    pids: { ...pids, mongod: servers.mongo.pid ?? 0, 'nats-server': servers.nats.pid ?? 0 },
    mongoUrl: servers.mongo.url('admin'),
    natsMonitorPort,
    stop: () => ends.disposeAsync(),
  };
}

/** The gateway stops first, so that no request comes in. */
function gatewayLast(a: ServiceName, b: ServiceName): number {
  return Number(a === 'gateway') - Number(b === 'gateway');
}
