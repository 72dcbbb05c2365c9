import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, type ExitStatus, startChild } from './child.ts';
import { logTail } from './log-tail.ts';
import { becomePrimary } from './replica-set.ts';

export interface MongodOptions {
  binary: string;
  dataDir: string;
  port: number;
  host?: string;
  logFile: string;
  /** Size of WiredTiger's cache, GiB. */
  cacheGiB?: number;
  /** Plain connections must stay possible. */
  moreArgs?: readonly string[];
}

export interface RunningServer {
  url: string;
  pid: number;
  exited: Child['exited'];
  /** As of `Child`. */
  stop: Child['stop'];
}

export const REPLICA_SET = 'rs0';
const READY_MS = 30_000;
/** Exit code where the port was taken (manual of mongod, "Exit Codes and Statuses"). */
const portTakenCode = 48;
/** Lines that mongod logs when it aborts, with its stack trace. */
const abortLines = 50;

/** Starts mongod as a replica set of one member, which transactions and majority writes need, and waits for the primary. */
export async function startMongod(options: MongodOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1', dataDir, logFile } = options;
  const child = await spawnMongod(options);
  const giveUp = new AbortController();
  try {
    await Promise.race([
      becomePrimary({ address: `${host}:${port}`, dataDir, set: REPLICA_SET }, giveUp.signal),
      child.exited.then(async (status) => Promise.reject(new Error(await endingOf(status, logFile)))),
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
  return { url, pid: child.pid, exited: child.exited, stop: child.stop };
}

/** mongod aborts where another process takes its port between bind and listen. */
async function endingOf({ code, signal }: ExitStatus, logFile: string): Promise<string> {
  const isTaken =
    code === portTakenCode ||
    (signal === 'SIGABRT' && /address already in use/i.test(await logTail(logFile, abortLines)));
  return isTaken ? 'address already in use' : 'it ended';
}

export async function spawnMongod(options: MongodOptions): Promise<Child> {
  const { binary, dataDir, port, host = '127.0.0.1', logFile, cacheGiB = 0.5, moreArgs = [] } = options;
  await mkdir(dataDir, { recursive: true });
  const args = ['--dbpath', dataDir, '--port', String(port), '--bind_ip', host, '--replSet', REPLICA_SET];
  return await startChild({
    command: binary,
    args: [...args, `--wiredTigerCacheSizeGB=${cacheGiB}`, ...DEVELOPMENT_ARGS, ...moreArgs],
    env: process.env,
    logFile,
  });
}

/** Options of a development server: no statistics, no socket in /tmp, no delay of 15 s at the end. */
const DEVELOPMENT_ARGS = [
  // As in deploy/k8s/components/mongodb and docker-compose.yml: erased data leaves the log of operations soon (docs/security.md).
  '--oplogSize=128',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
  // A killed process holds the locks of its transaction for this time; the default is a minute.
  '--setParameter=transactionLifetimeLimitSeconds=5',
  // The log lines of slow operations contain personal data.
  '--slowOpSampleRate=0',
  ...(process.platform === 'win32' ? [] : ['--nounixsocket']),
];
