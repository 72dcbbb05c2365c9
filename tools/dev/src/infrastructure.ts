import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepStreams, mongoServersFault, natsAuthorization, natsFault, reasonOf } from '@casewatch/platform';
import { CliError } from './cli-error.ts';
import { type DataDir, newLog } from './data-dir.ts';
import { HOST, type Ports } from './ports.ts';
import type { Secrets } from './secrets.ts';
import {
  type Binary,
  type RunningServer,
  resolveBinary,
  startMongod,
  startNatsServer,
} from './servers/index.ts';
import { type SettingsSource, settingsOfStreams } from './settings.ts';
import { type Supervised, supervise } from './supervise.ts';

export type Say = (line: string) => void;

/** A server of the environment has an address, others a binary to start. */
export interface Servers {
  mongod: Binary | { url: string };
  nats: Binary | { url: string };
}

export async function findServers(env: NodeJS.ProcessEnv, say: Say): Promise<Servers> {
  const faults = {
    MONGODB_URL: env.MONGODB_URL ? mongoServersFault(env.MONGODB_URL) : undefined,
    NATS_URL: env.NATS_URL ? natsFault(env.NATS_URL) : undefined,
  };
  for (const [name, fault] of Object.entries(faults))
    if (fault !== undefined) throw new CliError(`${name} ${fault}.`);
  const options = { env, onProgress: say };
  const [mongod, nats] = await Promise.all([
    env.MONGODB_URL ? { url: env.MONGODB_URL } : resolveBinary('mongod', options),
    env.NATS_URL ? { url: env.NATS_URL } : resolveBinary('nats-server', options),
  ]);
  return { mongod, nats };
}

export function keepMongod(binary: Binary, data: DataDir, ports: Ports, say: Say): Promise<Supervised> {
  const logFile = newLog(data, 'mongod');
  const options = { binary: binary.path, dataDir: data.mongod, port: ports.mongod, host: HOST, logFile };
  return keepServer('mongod', () => startMongod(options), say);
}

export async function keepNats(
  binary: Binary,
  data: DataDir,
  { ports, secrets }: { ports: Ports; secrets: Secrets },
  say: Say,
): Promise<Supervised> {
  removeFormerStreams(data, say);
  const authorization = natsAuthorization(secrets.natsPasswords);
  const logFile = newLog(data, 'nats-server');
  const options = { binary: binary.path, dataDir: data.nats, port: ports.nats, host: HOST };
  return await keepServer('nats-server', () => startNatsServer({ ...options, logFile, authorization }), say);
}

/** Streams from the time when all users shared one account, `$G`: no user reaches them any more (ADR 0031). */
function removeFormerStreams({ nats }: DataDir, say: Say): void {
  const former = join(nats, 'jetstream', '$G');
  if (!existsSync(former)) return;
  rmSync(former, { recursive: true });
  say(
    'The streams have an account of their own now. The former ones are deleted, with their dead letters; ' +
      'the services publish the events of the last 8 days again.',
  );
}

/** Declares the streams of the event registry, and again after they are lost. */
export async function keepStreamsDeclared(situation: SettingsSource, say: Say, stop: AbortSignal) {
  const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = settingsOfStreams(situation);
  const access = { url, user, password };
  const log = {
    info: () => {},
    warn: ({ err, reason = reasonOf(err) }: { err?: unknown; reason?: string }, text: string) =>
      say(`NATS: ${text} (${reason})`),
  };
  return await keepStreams({ access, replicas: 1, log }, stop).catch((err: unknown): never => {
    throw new CliError(`The streams could not be declared at ${access.url}: ${reasonOf(err)}`);
  });
}

async function keepServer(name: string, launch: () => Promise<RunningServer>, say: Say): Promise<Supervised> {
  try {
    return supervise({ name, first: await launch(), relaunch: launch, onRestart: () => {}, say });
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    throw new CliError(
      `${reason}\nDoes another npm start use this data folder? CASEWATCH_DATA=/other/dir gives this one its own; ` +
        `npm start -- --fresh begins with empty data.`,
    );
  }
}
