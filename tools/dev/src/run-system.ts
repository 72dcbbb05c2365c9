import { serviceNames } from '@casewatch/contracts';
import { settingsTogether } from '../../../services/all/src/settings.ts';
import { type Addresses, addressesAt, httpAt } from './addresses.ts';
import { printBanner } from './banner.ts';
import { type DataDir, dataDirAt, newLog, removeDataDir } from './data-dir.ts';
import { assertNotRunning, removeDevFiles, writeDevEnvFile } from './dev-files.ts';
import {
  findServers,
  keepMongod,
  keepNats,
  keepStreamsDeclared,
  type Say,
  type Servers,
} from './infrastructure.ts';
import { keepProgram } from './keep-program.ts';
import { openLimits } from './open-limits.ts';
import type { Options } from './options.ts';
import { assignPorts, checkPorts, HOST, type Listener, listeners, type Ports } from './ports.ts';
import { loadSecrets } from './secrets.ts';
import { demoConsole } from './seed/demo-console.ts';
import { seedDemo } from './seed/seed-demo.ts';
import { seedPartners } from './seed/seed-partners.ts';
import { REPLICA_SET } from './servers/index.ts';
import { keepOneProcess, keepServices } from './services.ts';
import { type SettingsSource, settingsOfReplicas, settingsOfSandbox, settingsOfStreams } from './settings.ts';
import { aborted } from './stop-signal.ts';
import { startTogether } from './supervise.ts';

/** After a crash the guard needs up to 5 s to end the processes. */
const PORTS_TIMEOUT_MS = 8_000;
const SANDBOX_GRACE_MS = 3_000;

/** Starts the whole system, runs until `stop` is aborted, and stops in reverse order, also after a failed start. */
export async function runSystem(options: Options, stop: AbortSignal): Promise<void> {
  const started = performance.now();
  const say: Say = (line) => console.log(`${new Date().toTimeString().slice(0, 8)}  ${line}`);
  const data = dataDirAt(options.dataDir);
  const { replicas = 1 } = options;
  const ports = assignPorts(options.portBase);
  const hasCrashed = await assertNotRunning(data);
  const servers = await findServers(process.env, say);
  await checkPorts(ports, neededListeners(servers), hasCrashed ? PORTS_TIMEOUT_MS : 0);
  if (options.fresh) removeDataDir(data);
  removeDevFiles(data);

  const secrets = loadSecrets(data.secrets);
  const addresses = findAddresses(ports, servers);
  const source: SettingsSource = { ports, addresses, secrets, env: process.env };
  await using stack = new AsyncDisposableStack();
  stack.defer(() => removeDevFiles(data));

  say('Starting MongoDB, NATS and the stand-ins …');
  await startTogether(stack, startInfrastructure(source, { data, say, signal: stop }, servers));
  stop.throwIfAborted();
  await openLimits(addresses.uscis_url);
  const settings = settingsOfReplicas(source, replicas);
  const context = { ports, data, say, signal: stop };
  const services = await (options.oneProcess ? startOneProcess() : startServices());
  stop.throwIfAborted();

  say('Seeding the demo …');
  const { staff, ...partners } = await seedPartners(settings.identity, newLog(data, 'seed'));
  const hint = `The services' logs are in ${data.logs}; npm start -- --fresh begins with empty data.`;
  await seedDemo({ addresses, partner: partners.partner, data, hint, say, signal: stop });
  stop.throwIfAborted();

  writeDevEnvFile(data, settings);
  services.publish({ ...addresses, ...partners });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const console_url = await demoConsole(addresses, partners.partner);
  printBanner({
    addresses,
    ...partners,
    console_url,
    staff,
    opening: `Casewatch is ready (${seconds} s). Ctrl-C stops it.`,
    closing: [
      'Then  npm run demo:advance      one case moves on: update, mail, WhatsApp, webhook',
      '',
      `Logs  ${data.logs}/<name>.log   addresses for scripts: ${data.dev}`,
    ],
  });
  await aborted(stop);
  say('Stopping …');
  // Scripts no longer find the system while the stack stops it.
  removeDevFiles(data);

  async function startServices() {
    const streams = await keepStreamsDeclared(source, say, stop);
    stack.defer(() => streams.stop());
    say(`Starting ${serviceNames.join(', ')} …`);
    return await keepServices({ ...context, settings, replicas }, stack);
  }

  /** The process declares the streams itself. */
  async function startOneProcess() {
    say(`Starting ${serviceNames.join(', ')} in one process …`);
    const together = settingsTogether({ ...settings, streams: { ...settingsOfStreams(source), PORT: '0' } });
    return await keepOneProcess({ ...context, settings: together }, stack);
  }
}

function startInfrastructure(
  situation: SettingsSource,
  { data, say, signal }: { data: DataDir; say: Say; signal: AbortSignal },
  { mongod, nats }: Servers,
): ReturnType<typeof keepMongod>[] {
  const { ports, addresses, secrets } = situation;
  const { mail_url, uscis_url, twilio_url, receiver_url, traces_url } = addresses;
  const sandbox = {
    name: 'sandbox',
    main: 'tools/sandbox/src/main.ts',
    settings: settingsOfSandbox(situation, data),
    readyUrls: [mail_url, uscis_url, twilio_url, receiver_url, traces_url].map((url) => `${url}/livez`),
    graceMs: SANDBOX_GRACE_MS,
  };
  return [
    ...('path' in mongod ? [keepMongod(mongod, data, ports, say)] : []),
    ...('path' in nats ? [keepNats(nats, data, { ports, secrets }, say)] : []),
    keepProgram(sandbox, { data, say, signal, onRestart: () => {} }),
  ];
}

function neededListeners({ mongod, nats }: Servers): Listener[] {
  const elsewhere = [...('url' in mongod ? ['mongod'] : []), ...('url' in nats ? ['nats'] : [])];
  return listeners().filter((name) => !elsewhere.includes(name));
}

function findAddresses(ports: Ports, { mongod, nats }: Servers): Addresses {
  return addressesAt(ports, {
    mongodbUrl:
      'url' in mongod
        ? mongod.url
        : `${httpAt(ports.mongod).replace('http', 'mongodb')}/?replicaSet=${REPLICA_SET}`,
    natsUrl: 'url' in nats ? nats.url : `nats://${HOST}:${ports.nats}`,
  });
}
