import { serviceNames } from '@casewatch/contracts';
import { type Addresses, addressesAt, httpAt } from './addresses.ts';
import { printBanner } from './banner.ts';
import { type DataDir, dataDirAt, newLog, wipe } from './data-dir.ts';
import { removeDevFiles, writeDevEnvFile } from './dev-files.ts';
import { findServers, keepDeclared, keepMongod, keepNats, type Say, type Servers } from './infrastructure.ts';
import { keepProgram } from './keep-program.ts';
import { openLimits } from './open-limits.ts';
import type { Options } from './options.ts';
import { assignPorts, checkPorts, HOST, type Listener, listeners, type Ports } from './ports.ts';
import { refuseIfRunning } from './refuse-if-running.ts';
import { loadSecrets } from './secrets.ts';
import { seedDemo } from './seed/seed-demo.ts';
import { seedPartners } from './seed/seed-partners.ts';
import { REPLICA_SET } from './servers/index.ts';
import { keepServices } from './services.ts';
import { type Situation, settingsOfAll, settingsOfSandbox, settingsOfStreams } from './settings.ts';
import { startTogether } from './start-together.ts';
import { aborted } from './until-asked-to-stop.ts';

/** One that died hard a moment ago still has its children ended by the guard, which takes up to 5 s. */
const PATIENCE_MS = 8_000;
const SANDBOX_GRACE_MS = 3_000;

/**
 * Starts the whole system, runs until `stop` is aborted, and stops it in reverse order.
 * @throws Problem when something is in the way or does not start; whatever had started is stopped first
 */
export async function runSystem(options: Options, stop: AbortSignal): Promise<void> {
  const started = performance.now();
  const say: Say = (line) => console.log(`${new Date().toTimeString().slice(0, 8)}  ${line}`);
  const data = dataDirAt(options.dataDir);
  const ports = assignPorts(options.portBase);
  const diedHard = await refuseIfRunning(data);
  const servers = await findServers(process.env, say);
  await checkPorts(ports, neededListeners(servers), diedHard ? PATIENCE_MS : 0);
  if (options.fresh) wipe(data);
  removeDevFiles(data);

  const secrets = loadSecrets(data.secrets);
  const addresses = findAddresses(ports, servers);
  const situation: Situation = { ports, addresses, secrets, env: process.env };
  await using stack = new AsyncDisposableStack();
  stack.defer(() => removeDevFiles(data));

  say('ContextInput MongoDB, NATS and the stand-ins …');
  await startTogether(stack, startFloor(situation, { data, say, signal: stop }, servers));
  stop.throwIfAborted();
  await openLimits(addresses.uscis_url);
  const streams = await keepDeclared(situation, say, stop);
  stack.defer(() => streams.stop());

  say(`ContextInput ${serviceNames.join(', ')} …`);
  const settings = settingsOfAll(situation);
  const services = await keepServices({ ports, settings, data, say, signal: stop }, stack);
  stop.throwIfAborted();

  say('Seeding the demo …');
  const partners = await seedPartners(settings.identity, newLog(data, 'seed'));
  const hint = `The services' logs are in ${data.logs}; npm start -- --fresh begins with empty data.`;
  await seedDemo({ addresses, partner: partners.partner, data, hint, say, signal: stop });
  stop.throwIfAborted();

  writeDevEnvFile(data, { ...settings, streams: settingsOfStreams(situation) });
  services.publish({ ...addresses, ...partners });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  printBanner({
    addresses,
    ...partners,
    opening: `Casewatch is ready (${seconds} s). Ctrl-C stops it.`,
    closing: [
      'Then  npm run demo:advance      one case moves on: update, mail, WhatsApp, webhook',
      '',
      `Logs  ${data.logs}/<name>.log   addresses for scripts: ${data.dev}`,
    ],
  });
  await aborted(stop);
  say('Stopping …');
  // From here on nobody should find the system: the rest is taken down by the stack, last started first.
  removeDevFiles(data);
}

function startFloor(
  situation: Situation,
  { data, say, signal }: { data: DataDir; say: Say; signal: AbortSignal },
  { mongod, nats }: Servers,
): ReturnType<typeof keepMongod>[] {
  const { ports, addresses, secrets } = situation;
  const { mail_url, uscis_url, twilio_url, receiver_url } = addresses;
  const sandbox = {
    name: 'sandbox',
    main: 'tools/sandbox/src/main.ts',
    settings: settingsOfSandbox(situation, data.sandbox),
    readyUrls: [mail_url, uscis_url, twilio_url, receiver_url].map((url) => `${url}/livez`),
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
