import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataDir, dataDirAt } from '../data-dir.ts';
import { type DevFile, readDevFile } from '../dev-files.ts';
import { ROOT } from '../options.ts';
import { HOST, listeners } from '../ports.ts';
import { Problem } from '../problem.ts';
import { type Child, logTail, startChild } from '../servers/index.ts';
import type { FindOptions } from './schemathesis.ts';

const START_MS = 180_000;
const STOP_MS = 60_000;
const POLL_MS = 100;

/**
 * Does `work` on the running system that CASEWATCH_DATA names; without that, on one of its own, with its data in a
 * temporary folder, on free ports, and with rate limits that are out of the way.
 * @throws Problem where there is none, or where it does not start
 */
export async function withSystem<T>(
  { env, say, signal }: FindOptions,
  work: (dev: DevFile) => Promise<T>,
): Promise<T> {
  if (env.CASEWATCH_DATA) {
    const data = dataDirAt(resolve(env.CASEWATCH_DATA));
    const dev = readDevFile(data);
    if (!dev) throw new Problem(`No running system with its data in ${data.root}. Start one: npm start`);
    say(`Using the running system at ${dev.gateway_url}; its data will be a mess afterwards.`);
    return await work(dev);
  }
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-fuzz-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  say('Starting a system to work on …');
  const child = await start(folder, env);
  stack.defer(() => child.stop(STOP_MS));
  return await work(await untilReady(dataDirAt(folder), child, signal));
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
  throw new Problem(`The system did not start:\n${logTail(startLog(data.root))}`);
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
