import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('./guard-main.ts', import.meta.url));
const tracked = new Set<number>();
let guard: ChildProcess | undefined;
let last: { child: ChildProcess; ended: Promise<void> } | undefined;

/**
 * Makes sure that a child does not outlive this process, even if this process is killed the hard way: a small
 * process of its own reads our pipe and ends what is left when the pipe closes. It lives only while it has someone
 * to watch.
 */
export function watchOver(pid: number): void {
  tracked.add(pid);
  guard ??= startGuard();
  guard.stdin?.write(`+${pid}\n`);
}

/** Tells the guard that this child has ended, so that its number is never signalled again. */
export function release(pid: number): void {
  if (!tracked.delete(pid)) return;
  guard?.stdin?.write(`-${pid}\n`);
  if (tracked.size > 0) return;
  guard?.stdin?.end();
  guard = undefined;
}

/** Resolves when no guard is left: whoever waits for it leaves no process behind. */
export async function guardEnded(): Promise<void> {
  if (guard !== undefined || last === undefined) return;
  last.child.ref();
  await last.ended;
}

function startGuard(): ChildProcess {
  // Detached: a Ctrl-C in the terminal must not reach it, it ends when the pipe does.
  const child = spawn(process.execPath, [GUARD], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // Losing the guard loses the safety net only, not the children: nothing to do about it here.
    child.once('error', () => resolve());
  });
  child.stdin.on('error', () => {});
  last = { child, ended };
  child.unref();
  const { stdin } = child;
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return child;
}
