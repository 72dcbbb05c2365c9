import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pssMiB } from './report.ts';

const v1 = '/sys/fs/cgroup/memory';
const v2 = '/sys/fs/cgroup';
const MiB = 1_048_576;

/** What of a control group holds memory: the folder above the groups, and its files. The kernel's documentation names them. */
const kinds = [
  {
    isHere: () => existsSync(join(v1, 'memory.limit_in_bytes')),
    above: v1,
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
  {
    isHere: () => existsSync(join(v2, 'cgroup.controllers')),
    above: v2,
    limit: 'memory.max',
    peak: 'memory.peak',
  },
];

export type Confined = { name: string; limitMiB: number; peakMiB(): number; remove(): void };

/**
 * Holds a running process to a limit of memory, as Kubernetes and Docker do: beyond it the kernel takes back what files have in
 * memory, and then ends the process. A group counts only what is asked for in it, so what the process has already is taken off the
 * limit, and added to the peak: at the latest when the process gives some of that back, it has less than it would have in a pod.
 * @throws Error on a machine where this process may make no control group
 */
export function confine(name: string, pid: number, limitMiB: number): Confined {
  const kind = kinds.find(({ isHere }) => isHere());
  if (kind === undefined) throw new Error('this machine has no control groups for memory');
  const folder = join(kind.above, `casewatch-bench-${process.pid}-${name}`);
  mkdirSync(folder);
  const hasMiB = pssMiB(pid);
  const files = { [kind.limit]: String(Math.floor((limitMiB - hasMiB) * MiB)), 'cgroup.procs': String(pid) };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return {
    name,
    limitMiB,
    peakMiB: () => hasMiB + Number(readFileSync(join(folder, kind.peak), 'utf8')) / MiB,
    // A group without processes.
    remove: () => rmdirSync(folder),
  };
}
