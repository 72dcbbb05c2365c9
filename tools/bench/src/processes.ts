import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A process of the bench's; `first` is its first line of the kind that says that it is ready. */
export type Running = { child: ChildProcess; pid: number; first: string };

/**
 * Starts a Node program and waits for the line that says that it is ready; its warnings are shown.
 * @throws Error where it ends before
 */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  isReady: (line: string) => boolean,
): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"level":"warn"') || line.includes('"level":"error"'))
      process.stdout.write(`  ${line}\n`);
    if (!isReady(line)) continue;
    child.stdout.resume();
    if (child.pid === undefined) break;
    return { child, pid: child.pid, first: line };
  }
  throw new Error(`${file} ended with code ${child.exitCode}`);
}

export async function end({ child }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Linux counts a process's time in hundredths of a second. */
const ticksPerSecond = 100;

/** User and system time that a process has used, s (proc(5), fields 14 and 15 of stat). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/**
 * The same in microseconds, of all threads that are still there, where hundredths of a second are too coarse
 * (sched-stats of the kernel's documentation: the first field is time on a processor, ns).
 */
export function cpuMicroseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, ns) => sum + ns, 0) / 1_000;
}

/** Memory that a process holds, MiB. */
export function rssMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) / 1_024;
}
