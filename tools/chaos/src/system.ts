/**
 * The system under test: three mongods (a replica set), three nats-servers (streams with three replicas), two replicas of every
 * service, two gateways behind a round robin, and all stand-ins. Each connection between them leads through a link that can be cut.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { resolveBinary, startChild, startNatsServer } from '@casewatch/dev/servers';
import { type Addresses, type PartnerKeys, until } from '@casewatch/driver';
import { keepStreams, type NatsUser, natsAuthorization, reasonOf } from '@casewatch/platform';
import mongoose from 'mongoose';
import { addressesAt, httpAt } from '../../dev/src/addresses.ts';
import { dataDirAt } from '../../dev/src/data-dir.ts';
import { launchNode, serviceMain } from '../../dev/src/launch-node.ts';
import { type Link, startLink } from '../../dev/src/link.ts';
import { assignPorts, HOST } from '../../dev/src/ports.ts';
import { loadSecrets } from '../../dev/src/secrets.ts';
import { seedPartners } from '../../dev/src/seed/seed-partners.ts';
import { type Settings, settingsOfAll, settingsOfSandbox } from '../../dev/src/settings.ts';
import { type Running, supervise } from '../../dev/src/supervise.ts';

/** A process of the system. A process that ended is started again, unless it is held down. */
export type Member = {
  name: string;
  kind: ServiceName | 'mongod' | 'nats';
  index: number;
  pid(): number;
  /** From now on an ended process stays away. @returns what ends this */
  holdDown(): () => void;
  /** The folder of its data; services have none. */
  dataDir?: string;
  /** Where it says whether it is ready, with a `Date` header. */
  readyUrl?: string;
  port: number;
  /** The file with the offset of its clock, as `faketime` reads it; undefined where clocks cannot be moved. */
  clockFile?: string;
};

export type System = {
  folder: string;
  addresses: Addresses;
  /** The two gateways without the round robin. */
  gatewayUrls: string[];
  partners: PartnerKeys[];
  members: Member[];
  /** By what they lead to: `mongod-0`, `nats-0`, `route-0-1`, `identity`, `smtp`, `twilio`. */
  links: Map<string, Link>;
  mongoUrl(database: string): string;
  natsUrls: string[];
  /** What the monitor is told that USCIS allows, requests a second. */
  uscisRate: number;
  /** No message about a change leaves in this minute, ms since 1970. */
  quiet: { from: number; until: number };
  operator: { user: string; pass: string };
  stop(): Promise<void>;
};

const REPLICAS = 2;
const SERVERS = [0, 1, 2];
const SET = 'rs0';
const START_MS = 180_000;
/** From the start of the services to the quiet minute, at least: they become ready, and the first people sign up, ms. */
const beforeQuietMs = 45_000;
/** Debian's package `faketime`. */
const clockLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const clocksMove = existsSync(clockLibrary);

export type SystemOptions = {
  folder: string;
  portBase: number;
  say: (line: string) => void;
  checksPerSecond: number;
};

/** Starts everything and waits until all services are ready. @throws Error with the reason, after all is stopped again */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { folder, portBase, say, checksPerSecond } = options;
  const data = dataDirAt(folder);
  mkdirSync(data.logs, { recursive: true });
  const ports = assignPorts(portBase);
  /** Of what listens beside the ports of `npm start`. */
  const portOf = (block: number, index: number) => portBase + 30 + block * 10 + index;
  const links = new Map<string, Link>();
  const members: Member[] = [];
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await Promise.all([...links.values()].map((link) => link.stop()));
  });

  const ends: (() => Promise<void>)[] = [];
  /** Of all processes that ran, also of those that were killed. */
  const pids: number[] = [];
  stack.defer(async () => {
    await Promise.all(ends.map((end) => end()));
  });

  const at = (port: number) => ({ host: HOST, port });
  const link = async (name: string, port: number, ...targets: number[]) => {
    links.set(name, await startLink(at(port), targets.map(at)));
  };

  /** Starts a process and starts it again whenever it ends. */
  async function keep(
    member: Omit<Member, 'pid' | 'holdDown'>,
    launch: () => Promise<Running>,
  ): Promise<void> {
    let gate = Promise.resolve();
    let isStopping = false;
    const start = async () => {
      await gate;
      if (isStopping) throw new Error('the run ends');
      const running = await launch();
      pids.push(running.pid);
      return running;
    };
    const supervised = supervise({
      name: member.name,
      first: await start(),
      relaunch: start,
      onRestart: () => {},
      say: () => {},
    });
    const holdDown = () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    };
    members.push({ ...member, pid: () => supervised.pid(), holdDown });
    ends.push(() => {
      isStopping = true;
      return supervised.stop();
    });
  }

  function clockOf(name: string): { clockFile?: string; environment: Record<string, string> } {
    if (!clocksMove) return { environment: {} };
    const clockFile = join(folder, `${name}.clock`);
    writeFileSync(clockFile, '+0');
    const environment = {
      LD_PRELOAD: clockLibrary,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_CACHE_DURATION: '1',
      // With the fix, waits on conditions last as long as their time-outs: a write of mongod takes 0.2 s instead of 5 ms.
      FAKETIME_FORCE_MONOTONIC_FIX: '0',
    };
    return { clockFile, environment };
  }

  say('starting three mongods and three nats-servers');
  const mongod = (await resolveBinary('mongod')).path;
  for (const i of SERVERS) {
    const name = `mongod-${i}`;
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { recursive: true });
    const { clockFile, environment } = clockOf(name);
    const port = portOf(0, i);
    const args = [
      ...['--dbpath', dataDir, '--port', String(port), '--bind_ip', HOST, '--replSet', SET, '--nounixsocket'],
      ...['--wiredTigerCacheSizeGB=0.25', '--oplogSize=256'],
      ...['diagnosticDataCollectionEnabled=false', 'transactionLifetimeLimitSeconds=5'].map(
        (text) => `--setParameter=${text}`,
      ),
      '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
    ];
    const launch = () =>
      startChild({
        command: mongod,
        args,
        env: { ...process.env, ...environment },
        logFile: join(data.logs, `${name}.log`),
      });
    await link(name, portOf(0, 3 + i), port);
    await keep({ name, kind: 'mongod', index: i, dataDir, port, ...(clockFile && { clockFile }) }, launch);
  }
  const mongoHosts = SERVERS.map((i) => `${HOST}:${portOf(0, 3 + i)}`);
  const mongoUrl = (database: string) => `mongodb://${mongoHosts.join(',')}/${database}?replicaSet=${SET}`;
  await initiate(portOf(0, 0), mongoHosts);

  const secrets = loadSecrets(data.secrets);
  const nats = (await resolveBinary('nats-server')).path;
  for (const from of SERVERS)
    for (const to of SERVERS)
      if (from !== to) await link(`route-${from}-${to}`, portOf(1 + from, 3 + to), portOf(1 + to, 0));
  await Promise.all(
    SERVERS.map(async (i) => {
      const name = `nats-${i}`;
      const dataDir = join(folder, name);
      const routes = SERVERS.filter((to) => to !== i).map(
        (to) => `"nats://${HOST}:${portOf(1 + i, 3 + to)}"`,
      );
      // Without advertising, servers and clients use these addresses alone, which the links can cut.
      const cluster = `cluster { name: chaos, listen: "${HOST}:${portOf(1 + i, 0)}", no_advertise: true, routes: [${routes}] }`;
      const options = {
        binary: nats,
        dataDir,
        port: portOf(1 + i, 1),
        host: HOST,
        name,
        logFile: join(data.logs, `${name}.log`),
        authorization: `client_advertise: "${HOST}:${portOf(1 + i, 2)}"\n${cluster}\n${natsAuthorization(secrets.natsPasswords)}`,
      };
      await link(name, portOf(1 + i, 2), options.port);
      const launch = () => startNatsServer(options);
      await keep({ name, kind: 'nats', index: i, dataDir, port: options.port }, launch);
    }),
  );
  const natsUrls = SERVERS.map((i) => `nats://${HOST}:${portOf(1 + i, 2)}`);
  const user = (name: NatsUser) => ({ user: name, pass: secrets.natsPasswords[name] });

  const addresses = addressesAt(ports, { mongodbUrl: mongoUrl(''), natsUrl: natsUrls.join(',') });
  // By links a fault proves that it was met. USCIS has none: it would move the times of requests, which are counted by the second.
  const behind = { ...ports, smtp: portOf(4, 0), twilio: portOf(4, 1) };
  const log = { info: () => {}, warn: () => {} };
  const source = { ports, addresses, secrets, env: { ...tuned, OTEL_SDK_DISABLED: 'true' } };
  const sandboxSettings = settingsOfSandbox({ ...source, ports: behind }, data);
  const sandbox = await launchNode(
    'tools/sandbox/src/main.ts',
    sandboxSettings,
    join(data.logs, 'sandbox.log'),
  );
  stack.defer(() => sandbox.stop());
  for (const name of ['smtp', 'twilio'] as const) await link(name, ports[name], behind[name]);
  const controls = { ...addresses, twilio_url: httpAt(behind.twilio) };
  await answering(`${controls.uscis_url}/livez`, START_MS);
  const rate = Math.ceil(checksPerSecond * 1.25);
  await fetch(`${controls.uscis_url}/sandbox/limits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    // The ledger judges the rate by the second. This limit is one by the interval (burst 1), which requests that a busy machine
    // holds up and lets go together break: at 1,000 a second the second one within a millisecond.
    body: JSON.stringify({ rate_per_second: 100_000, daily_quota: 100_000_000, hours: null }),
  });
  const access = { url: natsUrls.join(','), user: 'streams', password: secrets.natsPasswords.streams };
  const streams = await keepStreams({ access, replicas: SERVERS.length, log }).catch(
    (err: unknown): never => {
      throw new Error(`the streams could not be declared: ${reasonOf(err)}`, { cause: err });
    },
  );
  stack.defer(() => streams.stop());

  say('starting two replicas of every service');
  const quiet = quietMinute();
  const settings = settingsOfAll(source);
  const common: Partial<Record<ServiceName, Settings>> = {
    monitor: {
      USCIS_RATE_PER_SECOND: String(rate),
      USCIS_DAILY_BUDGET: String(Math.round(checksPerSecond * 86_400)),
    },
    notifier: {
      NOTIFY_DIGEST_WINDOW_S: '3',
      NOTIFY_QUIET_HOURS: `${timeOf(quiet.from)}-${timeOf(quiet.until)}`,
      NOTIFY_TIME_ZONE: 'UTC',
    },
    // The first seven attempts of a delivery are made within three minutes: rest is expected within two after the last fault.
    webhooks: { WEBHOOKS_RETRY_SCALE: '0.01' },
  };
  const targetsOf = (name: ServiceName) =>
    Array.from({ length: REPLICAS }, (_, i) => portOf(5 + i, serviceNames.indexOf(name)));
  for (const name of serviceNames) await link(name, ports[name], ...targetsOf(name));
  const launches = serviceNames.flatMap((name) =>
    targetsOf(name).map(async (port, i) => {
      const member = `${name}-${i}`;
      const { clockFile, environment } = clockOf(member);
      const own: Settings = { ...settings[name], ...common[name], PORT: String(port), ...environment };
      if (name !== 'gateway') own.MONGODB_URL = mongoUrl(name);
      const launch = () => launchNode(serviceMain(name), own, join(data.logs, `${member}.log`));
      const readyUrl = `${httpAt(port)}/readyz`;
      await keep(
        { name: member, kind: name, index: i, port, readyUrl, ...(clockFile && { clockFile }) },
        launch,
      );
    }),
  );
  await Promise.all(launches);
  await Promise.all(members.flatMap(({ readyUrl }) => (readyUrl ? [answering(readyUrl, START_MS)] : [])));
  const { partner, other_partner } = await seedPartners(
    { ...settings.identity, MONGODB_URL: mongoUrl('identity') },
    join(data.logs, 'seed.log'),
  );

  const whole = stack.move();
  return {
    folder,
    addresses: controls,
    gatewayUrls: targetsOf('gateway').map(httpAt),
    partners: [partner, other_partner],
    members,
    links,
    mongoUrl,
    natsUrls,
    uscisRate: rate,
    quiet,
    operator: user('operator'),
    async stop() {
      for (const { pid } of members) signal(pid(), 'SIGCONT');
      for (const each of links.values()) each.heal();
      for (const { dataDir } of members) if (dataDir) await unmount(dataDir);
      await whole.disposeAsync();
      // libfaketime leaves these behind where a process is killed.
      for (const pid of pids)
        for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
          rmSync(join('/dev/shm', name), { force: true });
    },
  };
}

/** The minute that begins when the load has run for a while. */
function quietMinute(): System['quiet'] {
  const minute = 60_000;
  const from = Math.ceil((Date.now() + beforeQuietMs) / minute) * minute;
  return { from, until: from + minute };
}

/** HH:MM in UTC. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}

/** A small disk that a fault has put over the folder. */
async function unmount(folder: string): Promise<void> {
  if (!readFileSync('/proc/mounts', 'utf8').includes(` ${folder} `)) return;
  await promisify(execFile)('umount', ['--lazy', folder]);
}

/** Waits of the services are shorter than in production, as in tests; their rules are the same. */
const tuned = {
  // 1/90: an outage of 90 minutes takes one.
  EVENTS_RETRY_SCALE: '0.0111',
  RATE_LIMIT_SCALE: '10000',
  ADDRESS_BATCH_MS: '50',
  NOTIFY_RETRY_SCALE: '0.05',
  LOG_LEVEL: 'info',
};

async function initiate(port: number, hosts: string[]): Promise<void> {
  const config = {
    _id: SET,
    members: hosts.map((host, i) => ({ _id: i, host, priority: 1 })),
    // All heartbeats pass this process: where it waits for a busy machine, nobody must be elected for it. The default is 10 s.
    settings: { electionTimeoutMillis: 5_000, heartbeatIntervalMillis: 1_000 },
  };
  const address = `mongodb://${HOST}:${port}/?directConnection=true`;
  const waiting = { timeoutMs: START_MS, retryIf: () => true };
  await until(() => adminCommand(address, { replSetInitiate: config }), {
    ...waiting,
    what: 'the replica set',
  });
  const isPrimary = async () => {
    const { primary } = await adminCommand(address, { hello: 1 });
    return primary !== undefined;
  };
  await until(isPrimary, { ...waiting, what: 'a primary' });
}

export async function adminCommand(url: string, command: object): Promise<Record<string, unknown>> {
  const client = new mongoose.mongo.MongoClient(url, {
    serverSelectionTimeoutMS: 2_000,
    socketTimeoutMS: 5_000,
  });
  try {
    return await client.db('admin').command({ ...command });
  } finally {
    await client.close();
  }
}

/** @throws Error if the address does not answer 2xx in time */
export async function answering(url: string, timeoutMs: number): Promise<void> {
  const answers = async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  };
  await until(answers, { timeoutMs, what: `an answer of ${url}`, retryIf: () => true });
}

/** @returns whether there was such a process */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // It has ended by itself.
  }
}
