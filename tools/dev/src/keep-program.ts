import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from './cli-error.ts';
import { type DataDir, newLog } from './data-dir.ts';
import type { Say } from './infrastructure.ts';
import { launchNode } from './launch-node.ts';
import { type ExitStatus, logTail } from './servers/index.ts';
import type { Settings } from './settings.ts';
import { type Running, type Supervised, supervise } from './supervise.ts';

export interface Program {
  name: string;
  main: string;
  settings: Settings;
  readyUrls: string[];
  /** Time between SIGTERM and SIGKILL. */
  graceMs: number;
}

export interface ProgramContext {
  data: DataDir;
  say: Say;
  signal: AbortSignal;
  onRestart: (pid: number) => void;
}

/** Starts a program of this repository, waits until it is ready, and restarts it after a crash. */
export async function keepProgram(program: Program, context: ProgramContext): Promise<Supervised> {
  const { name, main, settings, readyUrls, graceMs } = program;
  const { data, say, signal, onRestart } = context;
  const logFile = newLog(data, name);
  const launch = async (): Promise<Running> => {
    const child = await launchNode(main, settings, logFile);
    return { pid: child.pid, exited: child.exited, stop: () => child.stop(graceMs) };
  };
  const first = await launch();
  try {
    await awaitReady({ name, urls: readyUrls, exited: first.exited, logFile, signal });
  } catch (err) {
    await first.stop();
    throw err;
  }
  return supervise({ name, first, relaunch: launch, onRestart, say });
}

interface ReadyOptions {
  name: string;
  urls: string[];
  exited: Promise<ExitStatus>;
  logFile: string;
  signal: AbortSignal;
}

const READY_MS = 60_000;
const POLL_MS = 50;
const ANSWER_MS = 2_000;

/**
 * Waits until each address answers 2xx.
 * @throws CliError with the last log lines if the program ends or needs more than 60 s
 */
async function awaitReady({ name, urls, exited, logFile, signal }: ReadyOptions): Promise<void> {
  const deadline = Date.now() + READY_MS;
  let exitStatus: ExitStatus | undefined;
  void exited.then((status) => {
    exitStatus = status;
  });
  for (const url of urls) {
    while (!(await isReady(url))) {
      signal.throwIfAborted();
      if (exitStatus !== undefined) throw await startError(`${name} ended during its start`, logFile);
      if (Date.now() >= deadline) {
        throw await startError(`${name} was not ready within ${READY_MS / 1000} s (${url})`, logFile);
      }
      await delay(POLL_MS);
    }
  }
}

function isReady(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

async function startError(reason: string, logFile: string): Promise<CliError> {
  return new CliError(`${reason}. The last lines of ${logFile}:\n${await logTail(logFile)}`);
}
