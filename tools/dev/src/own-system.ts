import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@casewatch/driver';
import { CliError } from './cli-error.ts';
import { type DataDir, dataDirAt } from './data-dir.ts';
import { type DevFile, devFileOfRunning } from './dev-files.ts';
import { ROOT } from './options.ts';
import { freePortBase } from './ports.ts';
import { logTail, startChild } from './servers/index.ts';

const START_MS = 180_000;
const STOP_MS = 60_000;
const POLL_MS = 100;

export type { DevFile };

export interface SystemOptions {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  signal: AbortSignal;
  /** As after `npm start --`. */
  args?: readonly string[];
}

export interface OwnSystem {
  data: DataDir;
  /** @returns the exit code */
  stop(): Promise<number | null>;
}

/** npm start with its data in `folder`, on free ports. `args`: as after `npm start --`. */
export async function startOwnSystem(
  folder: string,
  env: NodeJS.ProcessEnv,
  { signal, args = [] }: { signal?: AbortSignal | undefined; args?: readonly string[] } = {},
): Promise<OwnSystem> {
  const data = dataDirAt(folder);
  const logFile = join(folder, 'start.log');
  const child = await startChild({
    command: process.execPath,
    args: [join(ROOT, 'tools/dev/run.mjs'), 'tools/dev/src/main.ts', ...args],
    env: { ...env, PORT_BASE: String(await freePortBase()), CASEWATCH_DATA: folder },
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
    if (child.hasExited()) throw new CliError(`The system did not start:\n${await logTail(logFile)}`);
    return { data, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** Calls `work` with a new system with wide rate limits, and deletes its data. */
export async function withOwnSystem<T>(
  { env, say, signal, args = [] }: SystemOptions,
  work: (dev: DevFile, data: DataDir) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-system-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  say('Starting a system to work on …');
  const wide = { RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn' };
  const { data, stop } = await startOwnSystem(folder, { ...wide, ...env }, { signal, args });
  stack.defer(async () => void (await stop()));
  return await work(devFileOfRunning(data), data);
}
