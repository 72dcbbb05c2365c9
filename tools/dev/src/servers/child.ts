import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { release, watchOver } from './guard.ts';

export interface ChildOptions {
  command: string;
  args: string[];
  /** The whole environment of the child; nothing is inherited. */
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** What the child prints is appended here. */
  logFile: string;
}

export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  pid: number;
  /** Settles when the process has ended, for whatever reason. */
  exited: Promise<ExitStatus>;
  hasExited(): boolean;
  /** SIGTERM, after `graceMs` SIGKILL; resolves when the process is gone. May be called twice. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;

/**
 * Starts a program with its output going to a file. It gets a process group of its own, so that a Ctrl-C in the
 * terminal reaches its parent alone, and it never outlives its parent (guard.ts).
 * @throws Error when the program cannot be started
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const process = await spawnToFile(options);
  const { pid } = process;
  if (pid === undefined) throw new Error(`${options.command} could not be started`);
  let over = false;
  const exited = new Promise<ExitStatus>((resolve) => {
    process.once('exit', (code, signal) => {
      over = true;
      release(pid);
      resolve({ code, signal });
    });
  });
  watchOver(pid);
  const stop = (graceMs = GRACE_MS): Promise<void> => stopChild(process, exited, graceMs);
  return { pid, exited, hasExited: () => over, stop };
}

function spawnToFile({ command, args, env, cwd, logFile }: ChildOptions): Promise<ChildProcess> {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  return new Promise<ChildProcess>((resolve, reject) => {
    const place = cwd === undefined ? {} : { cwd };
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', log, log], ...place });
    child.once('error', reject);
    child.once('spawn', () => resolve(child));
  }).finally(() => closeSync(log));
}

async function stopChild(child: ChildProcess, exited: Promise<ExitStatus>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  // A frozen process takes the signal only once it runs again.
  child.kill('SIGCONT');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}
