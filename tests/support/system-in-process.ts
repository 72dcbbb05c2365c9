import { type ServiceName, serviceNames } from '@casewatch/contracts';
import type { PartnerKeys } from '@casewatch/driver';
import { type Clock, type RunningService, type Service, start } from '@casewatch/platform';
import { startSandbox } from '@casewatch/sandbox';
import { startMongo, startNats, type TestMongo, type TestNats, tempFolder } from '@casewatch/testing';
import { cases } from '../../services/cases/src/service.ts';
import { gateway } from '../../services/gateway/src/service.ts';
import { identity } from '../../services/identity/src/service.ts';
import { monitor } from '../../services/monitor/src/service.ts';
import { notifier } from '../../services/notifier/src/service.ts';
import { webhooks } from '../../services/webhooks/src/service.ts';
import { addressesAt, httpAt, metricsUrls } from '../../tools/dev/src/addresses.ts';
import { dataDirAt } from '../../tools/dev/src/data-dir.ts';
import { type DevFile, writeDevEnvFile, writeDevFile } from '../../tools/dev/src/dev-files.ts';
import { openLimits } from '../../tools/dev/src/open-limits.ts';
import { assignPorts, freePortBase } from '../../tools/dev/src/ports.ts';
import { loadSecrets } from '../../tools/dev/src/secrets.ts';
import { type Settings, settingsOfAll, settingsOfSandbox } from '../../tools/dev/src/settings.ts';
import { readEnvironment } from '../../tools/sandbox/src/environment.ts';
import { operator } from './operator.ts';

const services: Record<ServiceName, Service> = { gateway, identity, cases, monitor, notifier, webhooks };

type SystemInProcess = {
  dataDir: string;
  mongo: TestMongo;
  nats: TestNats;
  /** Starts a stopped service again, with its settings, port and clock; `env` replaces settings. */
  startService(name: ServiceName, env?: Settings): Promise<void>;
  stopService(name: ServiceName): Promise<void>;
  stop(): Promise<void>;
};

/**
 * What `npm start` starts, in this process: no module is loaded again. It is without demo data, logs and traces.
 * Its `stop` ends all; `env` is as for `npm start`; `clocks` are those of services that have one of their own.
 */
export async function startSystemInProcess(
  env: Settings,
  clocks: Partial<Record<ServiceName, Clock>> = {},
): Promise<SystemInProcess> {
  await using stack = new AsyncDisposableStack();
  const folder = await tempFolder();
  stack.defer(folder.remove);
  const [mongo, nats] = [await startMongo(), await startNats()];
  stack.defer(mongo.stop);
  stack.defer(nats.stop);
  const data = dataDirAt(folder.path);
  const ports = assignPorts(await freePortBase());
  const urls = { mongodbUrl: mongo.url('none'), natsUrl: nats.url };
  const source = { ports, addresses: addressesAt(ports, urls), secrets: loadSecrets(data.secrets), env };

  const standIns = await startSandbox(readEnvironment(settingsOfSandbox(source, data)));
  stack.defer(standIns.stop);
  await openLimits(standIns.uscis_url);
  const settings = settingsOfAll({ ...source, env: { ...env, OTEL_SDK_DISABLED: 'true' } });
  for (const name of serviceNames) {
    const database = name === 'gateway' ? {} : { MONGODB_URL: mongo.url(name) };
    Object.assign(settings[name], { LOG_LEVEL: 'silent', ...nats.user(name), ...database });
  }
  // The page for operators is on the port of the metrics.
  settings.gateway.METRICS_PORT = String(ports.gateway_metrics);
  const running = new Map<ServiceName, RunningService>();
  const startService = async (name: ServiceName, over: Settings = {}) => {
    const clock = clocks[name];
    running.set(
      name,
      await start(services[name], { ...settings[name], ...over }, { ...(clock && { clock }) }),
    );
  };
  const stopService = async (name: ServiceName) => {
    await running.get(name)?.stop();
    running.delete(name);
  };
  stack.defer(async () => {
    // It stops first, so that no request comes in.
    await stopService('gateway');
    await Promise.all(serviceNames.map(stopService));
  });
  await Promise.all(serviceNames.filter((name) => name !== 'gateway').map((name) => startService(name)));
  await startService('gateway');

  writeDevEnvFile(data, settings);
  const partners = await operator<Record<'partner' | 'other_partner', PartnerKeys>>(folder.path, 'seed-demo');
  const processes = serviceNames.map((name) => [name, { url: httpAt(ports[name]), pid: 0 }]);
  writeDevFile(data, {
    ...source.addresses,
    ...partners,
    services: Object.fromEntries(processes) as DevFile['services'],
    metrics_urls: metricsUrls(ports),
  });
  const ends = stack.move();
  return {
    ...{ dataDir: folder.path, mongo, nats, startService, stopService },
    stop: () => ends.disposeAsync(),
  };
}
