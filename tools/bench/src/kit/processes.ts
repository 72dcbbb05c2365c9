import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeOptions } from '../../../dev/src/launch-node.ts';
import { say } from './cli.ts';

/** A child process of the bench; `readyLine` is the first line with the text that says it is ready. */
export type Running = { child: ChildProcess; pid: number; exited: Promise<unknown>; readyLine: string };

type Options = { readyText?: string; onLine?: (line: string) => void };

export function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../../../${file}`, import.meta.url));
}

/** Starts a Node program that ends with this process, and prints its warnings. @throws Error if it ends before it is ready */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  { readyText = '"msg":"ready"', onLine }: Options = {},
): Promise<Running> {
  const child = spawn(process.execPath, [...nodeOptions, file], {
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  const ready = Promise.withResolvers<string>();
  process.once('exit', kill);
  void exited.then(() => {
    process.off('exit', kill);
    ready.reject(new Error(`${file} ended with code ${child.exitCode}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/"level":"(warn|error)"/.test(line)) say(`  ${line}`);
    onLine?.(line);
    if (line.includes(readyText)) ready.resolve(line);
  });
  const readyLine = await ready.promise;
  if (child.pid === undefined) throw new Error(`${file} has no process id`);
  return { child, pid: child.pid, exited, readyLine };
}

export async function end({ child, exited }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  await exited;
}

/** Linux counts the time of a process in hundredths of a second. */
const ticksPerSecond = 100;

/** User and system time of a process, s (proc(5), fields 14 and 15 of stat). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** CPU time of the living threads of a process, µs (sched-stats in the kernel's documentation: first field, ns). */
export function cpuMicroseconds(pid: number): number {
  return sumOfThreads(pid, 0) / 1_000;
}

/** How long the living threads of a process were ready and waited for a core, ms (second field of sched-stats). */
export function waitedMs(pid: number): number {
  return sumOfThreads(pid, 1) / 1e6;
}

function sumOfThreads(pid: number, field: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const values = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[field]),
  );
  return values.reduce((sum, ns) => sum + ns, 0);
}

export function rssMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) / 1_024;
}
