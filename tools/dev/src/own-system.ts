import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@casewatch/driver';
import { type DataDir, dataDirAt } from './data-dir.ts';
import { type DevFile, devFileOfRunning } from './dev-files.ts';
import { ROOT } from './options.ts';
import { assignPorts, isFree } from './ports.ts';
import { Problem } from './problem.ts';
import { logTail, startChild } from './servers/index.ts';

const START_MS = 180_000;
const STOP_MS = 60_000;
const POLL_MS = 100;

export type { DevFile };

export interface SystemOptions {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  signal: AbortSignal;
}

export interface OwnSystem {
  data: DataDir;
  /** Ends the system, and gives its exit code. */
  stop(): Promise<number | null>;
}

/**
 * npm start with its data in `folder`, on free ports.
 * @throws Problem where it does not start
 */
export async function startOwnSystem(
  folder: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<OwnSystem> {
  const data = dataDirAt(folder);
  const logFile = join(folder, 'start.log');
  const child = await startChild({
    command: process.execPath,
    args: [join(ROOT, 'tools/dev/start.mjs')],
    env: { ...env, PORT_BASE: String(await freePortBase()), CASEWATCH_DATA: folder, NODE_OPTIONS: '' },
    cwd: ROOT,
    logFile,
  });
  const stop = async (): Promise<number | null> => {
    await child.stop(STOP_MS);
    return (await child.exited).code;
  };
  try {
    const waiting = {
      timeoutMs: START_MS,
      intervalMs: POLL_MS,
      what: 'the start',
      ...(signal && { signal }),
    };
    await until(() => existsSync(data.dev) || child.hasExited(), waiting);
    if (child.hasExited()) throw new Problem(`The system did not start:\n${await logTail(logFile)}`);
    return { data, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** Does `work` on an own system with wide rate limits, unless `env` says otherwise; its data are gone afterwards. */
export async function withOwnSystem<T>(
  { env, say, signal }: SystemOptions,
  work: (dev: DevFile, data: DataDir) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-system-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  say('ContextInput a system to work on …');
  const wide = { RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn' };
  const { data, stop } = await startOwnSystem(folder, { ...wide, ...env }, signal);
  stack.defer(async () => void (await stop()));
  return await work(devFileOfRunning(data), data);
}

/** A base with a free port for each listener after it; beyond the usual 4000, below the ephemeral range. */
async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 12_000 + Math.floor(Math.random() * 900) * 20;
    const free = await Promise.all(Object.values(assignPorts(base)).map(isFree));
    if (free.every(Boolean)) return base;
  }
}
