import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { release, watchOver } from './guard.ts';

export interface ChildOptions {
  command: string;
  args: string[];
  /** The child inherits no other variable. */
  env: NodeJS.ProcessEnv;
  cwd?: string;
  logFile: string;
}

export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  pid: number;
  exited: Promise<ExitStatus>;
  hasExited(): boolean;
  /** SIGTERM, after `graceMs` SIGKILL. Safe to call twice. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;

/** Starts a program in a process group of its own, so that Ctrl-C reaches only the parent; guard.ts ends orphans. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const process = await spawnToFile(options);
  const { pid } = process;
  if (pid === undefined) throw new Error(`${options.command} could not be started`);
  let hasEnded = false;
  const exited = new Promise<ExitStatus>((resolve) => {
    process.once('exit', (code, signal) => {
      hasEnded = true;
      release(pid);
      resolve({ code, signal });
    });
  });
  watchOver(pid);
  const stop = (graceMs = GRACE_MS): Promise<void> => stopChild(process, exited, graceMs);
  return { pid, exited, hasExited: () => hasEnded, stop };
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
  // A frozen process takes SIGTERM after SIGCONT.
  child.kill('SIGCONT');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}
