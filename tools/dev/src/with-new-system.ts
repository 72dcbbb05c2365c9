import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataDir, dataDirAt } from './data-dir.ts';
import { type DevFile, readDevFile } from './dev-files.ts';
import { ROOT } from './options.ts';
import { HOST, listeners } from './ports.ts';
import { Problem } from './problem.ts';
import { type Child, logTail, startChild } from './servers/index.ts';

const START_MS = 180_000;
const STOP_MS = 60_000;
const POLL_MS = 100;

export type { DevFile };

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Does `work` on a system of its own, with its data in a temporary folder, on free ports, and with rate limits that are
 * out of the way unless `env` says otherwise.
 * @throws Problem where it does not start
 */
export async function withNewSystem<T>(
  { env, say, signal }: Surroundings,
  work: (dev: DevFile, data: DataDir) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-system-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  say('Starting a system to work on …');
  const child = await start(folder, env);
  stack.defer(() => child.stop(STOP_MS));
  const data = dataDirAt(folder);
  return await work(await untilReady(data, child, signal), data);
}

async function start(folder: string, env: NodeJS.ProcessEnv): Promise<Child> {
  const own = { PORT_BASE: String(await freePortBase()), CASEWATCH_DATA: folder };
  return startChild({
    command: process.execPath,
    args: [join(ROOT, 'tools/dev/src/main.ts')],
    env: { RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn', ...env, ...own },
    cwd: ROOT,
    logFile: startLog(folder),
  });
}

async function untilReady(data: DataDir, child: Child, signal: AbortSignal): Promise<DevFile> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await delay(POLL_MS)) {
    signal.throwIfAborted();
    const dev = readDevFile(data);
    if (dev) return dev;
    if (child.hasExited()) break;
  }
  throw new Problem(`The system did not start:\n${await logTail(startLog(data.root))}`);
}

function startLog(folder: string): string {
  return join(folder, 'start.log');
}

/** A base with a free port for each listener after it; beyond the usual 4000, below the ephemeral range. */
async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 14_000 + Math.floor(Math.random() * 800) * 20;
    const free = await Promise.all(listeners().map((_, index) => isFree(base + index)));
    if (free.every(Boolean)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, HOST, () => server.close(() => done(true)));
  });
}
