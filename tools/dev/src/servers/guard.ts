import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('./guard-main.ts', import.meta.url));
const tracked = new Set<number>();
let guard: ChildProcess | undefined;
let lastGuard: { child: ChildProcess; ended: Promise<void> } | undefined;

/**
 * Ends a child after this process dies, also by SIGKILL: a small process reads our pipe and ends the children when the
 * pipe closes.
 */
export function watchOver(pid: number): void {
  tracked.add(pid);
  guard ??= startGuard();
  guard.stdin?.write(`+${pid}\n`);
}

/** The guard must not signal a pid that the system can reuse. */
export function release(pid: number): void {
  if (!tracked.delete(pid)) return;
  guard?.stdin?.write(`-${pid}\n`);
  if (tracked.size > 0) return;
  guard?.stdin?.end();
  guard = undefined;
}

/** Resolves when no guard process runs. */
export async function guardEnded(): Promise<void> {
  if (guard !== undefined || lastGuard === undefined) return;
  lastGuard.child.ref();
  await lastGuard.ended;
}

function startGuard(): ChildProcess {
  // Ctrl-C in the terminal must not reach the guard.
  const child = spawn(process.execPath, [GUARD], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // Without a guard the children still run.
    child.once('error', () => resolve());
  });
  child.stdin.on('error', () => {});
  lastGuard = { child, ended };
  child.unref();
  const { stdin } = child;
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return child;
}
