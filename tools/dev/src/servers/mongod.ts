import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';
import { logTail } from './log-tail.ts';
import { becomePrimary } from './replica-set.ts';

export interface MongodOptions {
  /** Path of mongod. */
  binary: string;
  /** Created if missing; what it holds is kept. */
  dataDir: string;
  port: number;
  host?: string;
  logFile: string;
  /** WiredTiger's cache, GiB; little without it. */
  cacheGiB?: number;
  /** Further arguments of mongod, e.g. for TLS; plain connections must stay possible. */
  moreArgs?: readonly string[];
}

/** A server that runs: its address, its process, and how to end it. */
export interface RunningServer {
  url: string;
  pid: number;
  exited: Child['exited'];
  stop(): Promise<void>;
}

export const REPLICA_SET = 'rs0';
const READY_MS = 30_000;

/**
 * Starts mongod as a replica set of one (transactions and majority writes need a set) and waits until it is
 * primary. The url names no database.
 * @throws Error with the last log lines when it ends or is not primary within 30 s
 */
export async function startMongod(options: MongodOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1', logFile } = options;
  const child = await spawnMongod(options);
  const giveUp = new AbortController();
  try {
    await Promise.race([
      becomePrimary(`${host}:${port}`, REPLICA_SET, giveUp.signal),
      child.exited.then(() => Promise.reject(new Error('it ended'))),
      delay(READY_MS, undefined, { signal: giveUp.signal }).then(() =>
        Promise.reject(new Error(`it was not primary within ${READY_MS / 1000} s`)),
      ),
    ]);
  } catch (err) {
    await child.stop(0);
    const reason = err instanceof Error ? err.message : String(err);
    throw new Error(
      `mongod did not start: ${reason}. Its last lines (${logFile}):\n${await logTail(logFile)}`,
    );
  } finally {
    giveUp.abort();
  }
  const url = `mongodb://${host}:${port}/?replicaSet=${REPLICA_SET}`;
  return { url, pid: child.pid, exited: child.exited, stop: () => child.stop() };
}

/** Starts the process of one member; it belongs to no replica set yet. */
export async function spawnMongod(options: MongodOptions): Promise<Child> {
  const { binary, dataDir, port, host = '127.0.0.1', logFile, cacheGiB = 0.5, moreArgs = [] } = options;
  await mkdir(dataDir, { recursive: true });
  const args = ['--dbpath', dataDir, '--port', String(port), '--bind_ip', host, '--replSet', REPLICA_SET];
  return await startChild({
    command: binary,
    args: [...args, `--wiredTigerCacheSizeGB=${cacheGiB}`, ...SMALL, ...moreArgs],
    env: process.env,
    logFile,
  });
}

/** A development server: no statistics file, no socket in /tmp, and no 15 s of courtesy at the end. */
const SMALL = [
  '--oplogSize=128',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
  // A process killed within a transaction holds its locks this long; the default is a minute.
  '--setParameter=transactionLifetimeLimitSeconds=5',
  // The lines of slow operations show their filters, which hold addresses of people.
  '--slowOpSampleRate=0',
  ...(process.platform === 'win32' ? [] : ['--nounixsocket']),
];
