import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ServiceName } from '@casewatch/contracts';
import { type DevFile, withOwnSystem } from '@casewatch/dev/own-system';
import { createPartner, type PartnerKeys } from '@casewatch/driver';
import mongoose from 'mongoose';
import { nodeOptions } from '../../../dev/src/launch-node.ts';
import { inParallel } from './load.ts';
import { diskOf, say } from './report.ts';

const root = join(import.meta.dirname, '../../../..');

type Settings = Record<string, string | undefined>;
export type Service = ServiceName;
/** A process that a bench starts; `url` is where it listens. */
export type Running = { pid: number; url: string; end(signal?: NodeJS.Signals): Promise<void> };
export type System = Awaited<ReturnType<typeof openSystem>>;

/**
 * Calls `work` with a system of its own as `npm start` runs it, on a disk: six services, mongod, nats-server and the stand-ins, each a
 * process. Rate limits are wide, and nothing is due to be checked unless `env` says otherwise. `args`: as after `npm start --`.
 */
export async function withSystem(
  name: string,
  env: Record<string, string>,
  work: (system: System) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  say(`# ${name}; data on ${diskOf()}`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const settings = { ...process.env, NODE_OPTIONS: '', MONITOR_INTERVAL_SCALE: '1', ...env };
  const options = { env: settings, say: () => {}, signal: stopping.signal, args };
  await withOwnSystem(options, async (dev, data) => {
    const ofServices = JSON.parse(readFileSync(data.devEnv, 'utf8')) as Record<Service, Settings>;
    const system = await openSystem(dev, ofServices, {
      dataDir: data.root,
      servers: { mongod: pidWith(data.mongod), nats: pidWith(data.nats) },
    });
    try {
      const stopped = once(stopping.signal, 'abort').then(() => {
        throw new Error('stopped by a signal');
      });
      await Promise.race([work(system), stopped]);
    } finally {
      await system.close();
    }
  });
}

type Places = { dataDir: string; servers: { mongod: number; nats: number } };

async function openSystem(dev: DevFile, settings: Record<Service, Settings>, { dataDir, servers }: Places) {
  const client = await new mongoose.mongo.MongoClient(dev.mongodb_url).connect();
  const running: Running[] = [];
  const keep = async (starting: Promise<Running>): Promise<Running> => {
    const process = await starting;
    running.push(process);
    return process;
  };
  return {
    dev,
    dataDir,
    settings,
    servers,
    client,
    pidOf: (service: Service) => dev.services[service].pid,
    /** All processes but the stand-ins. */
    pids: () => [
      ...new Set([...Object.values(dev.services).map(({ pid }) => pid), ...Object.values(servers)]),
    ],
    partner: createPartner(dev, dev.partner),
    db: (service: Service) => client.db(service),
    /** One more replica of a service, on a port of its own; `over`: settings that differ, undefined for none. */
    replica: (service: Service, over: Settings = {}) =>
      keep(
        startProgram(`services/${service}/src/main.ts`, {
          ...settings[service],
          PORT: '0',
          METRICS_PORT: undefined,
          LOG_LEVEL: 'info',
          ...over,
        }),
      ),
    /** A program of floors.ts. */
    floor: (name: string, env: Settings = {}) =>
      keep(startProgram('tools/bench/src/floors.ts', { ...env, FLOOR: name })),
    /** Another monitor in the place of the system's, which stands still; the lease of a sender moves after some seconds. */
    async replaceMonitor(over: Settings): Promise<Running> {
      process.kill(dev.services.monitor.pid, 'SIGSTOP');
      const own = {
        USCIS_PACE_MARGIN: undefined,
        MONITOR_AHEAD_HOURS: '24',
        USCIS_DAILY_BUDGET: '1000000000',
      };
      return await this.replica('monitor', { ...own, ...over });
    },
    async close(): Promise<void> {
      process.kill(dev.services.monitor.pid, 'SIGCONT');
      await Promise.all(running.map((process) => process.end()));
      await client.close();
    },
  };
}

/** Starts a program that prints a line with its `url` or `port` when it is ready, and ends with this process. */
async function startProgram(file: string, settings: Settings): Promise<Running> {
  const child = spawn(process.execPath, [...(file.startsWith('services/') ? nodeOptions : []), file], {
    cwd: root,
    env: { ...settings, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const ready = Promise.withResolvers<string>();
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  void exited.then(() => {
    process.off('exit', kill);
    ready.reject(new Error(`${file} ended with code ${child.exitCode}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!/^\{"url":|"msg":"ready"/.test(line)) return;
    const { port, url } = JSON.parse(line) as { port?: number; url?: string };
    ready.resolve(url ?? `http://127.0.0.1:${port}`);
  });
  const url = await ready.promise;
  return {
    pid: child.pid ?? 0,
    url,
    async end(signal = 'SIGTERM'): Promise<void> {
      child.kill('SIGCONT');
      child.kill(signal);
      await exited;
    },
  };
}

/** The server that was started with a data folder. @throws Error if there is none: MONGODB_URL and NATS_URL name servers elsewhere */
function pidWith(folder: string): number {
  const isServer = (pid: string) => {
    try {
      const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return /mongod|nats-server/.test(program) && args.some((arg) => arg.startsWith(folder));
    } catch {
      // The process has ended meanwhile.
      return false;
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isServer(name));
  if (pid === undefined)
    throw new Error(`no server with its data in ${folder}: unset MONGODB_URL and NATS_URL`);
  return Number(pid);
}

export type Watcher = { id: number; email: string; receipt: string };
type WatcherOptions = {
  keys?: PartnerKeys;
  /** Of each user, and of each case. */
  fields?: Record<string, unknown>;
  caseFields?: Record<string, unknown>;
  receipts: readonly string[];
  perReceipt: number;
};

/** Users of a partner with one case each; the receipts are watched by `perReceipt` of them. Addresses count as verified. */
export async function addWatchers(
  { dev, db }: System,
  { keys = dev.partner, fields = {}, caseFields = {}, receipts, perReceipt }: WatcherOptions,
): Promise<Watcher[]> {
  const partner = createPartner(dev, keys);
  const watchers: Watcher[] = [];
  await inParallel(receipts.length * perReceipt, 4, async (index) => {
    const user = await partner.newUser({ send_verification: false, ...fields });
    const receipt = receipts[Math.floor(index / perReceipt)] ?? '';
    await partner.newCase(user.id, receipt, caseFields);
    watchers.push({ ...user, receipt });
  });
  const unverified = { email_verified_at: null };
  await db('identity')
    .collection('users')
    .updateMany(unverified, { $set: { email_verified_at: new Date() } });
  return watchers;
}
