import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('./guard-main.ts', import.meta.url));
let guard: { child: ChildProcess; ended: Promise<void> } | undefined;

/**
 * Ends a child after this process dies, also by SIGKILL: a small process reads our pipe and ends the children when the
 * pipe closes.
 */
export function watchOver(pid: number): void {
  guard ??= startGuard();
  guard.child.stdin?.write(`+${pid}\n`);
}

/** The guard must not signal a pid that the system can reuse. */
export function release(pid: number): void {
  guard?.child.stdin?.write(`-${pid}\n`);
}

/** Ends the guard, and with it the children that still run. It ends with this process too. */
export async function endGuard(): Promise<void> {
  guard?.child.ref();
  guard?.child.stdin?.end();
  await guard?.ended;
}

function startGuard(): { child: ChildProcess; ended: Promise<void> } {
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
  child.unref();
  const { stdin } = child;
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return { child, ended };
}
