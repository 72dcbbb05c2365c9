import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Numbers of the command line with their defaults: `--rate 5`. @throws Error naming the option that is no number from 0 on */
export function numberOptions<T extends Record<string, number>>(defaults: T): T {
  const options = Object.fromEntries(
    Object.keys(defaults).map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parseArgs({ options });
  const given = Object.entries(values).map(([name, text]) => {
    const value = Number(text);
    if (text === '' || !(value >= 0)) throw new Error(`--${name} must be a number from 0 on, not ${text}.`);
    return [name, value] as const;
  });
  return { ...defaults, ...Object.fromEntries(given) };
}

type Aim = { atMost: number } | { atLeast: number };

export function isMet(value: number, aim: Aim): boolean {
  return 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast;
}

/** Prints a figure beside its aim (docs of the aims: README.md). A missed aim makes the exit code 1. */
export function judge(figure: string, value: number, aim: Aim): void {
  const goal = 'atMost' in aim ? `≤ ${aim.atMost}` : `≥ ${aim.atLeast}`;
  const verdict = isMet(value, aim) ? 'met' : 'MISSED';
  say(`${figure}: ${Number(value.toPrecision(3))} (aim ${goal}): ${verdict}`);
  if (!isMet(value, aim)) process.exitCode = 1;
}

/** The value below which a share of the values lies; `share` 0.5 is the median. @throws Error if there are no values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('no values');
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** User and system time of a process so far, ms (proc(5), fields 14 and 15 of stat; Linux counts hundredths of a second). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** CPU time of the living threads of a process, ms (first field of schedstat, ns): exact where no thread ends. */
export function exactCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return ns.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** CPU of processes together, ms. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
}

/** Memory of a process, what it shares with others counted in part (proc(5), smaps_rollup), MiB. */
export function pssMiB(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}

/** What the data of a bench lie on: `ext4 on /dev/vda`. */
export function diskOf(folder = tmpdir()): string {
  const mounts = readFileSync('/proc/mounts', 'utf8').trim().split('\n');
  const above = mounts
    .map((line) => line.split(' '))
    .filter(([, path = '']) => path === '/' || folder === path || folder.startsWith(`${path}/`));
  const [device, , type] = above.toSorted(([, a = ''], [, b = '']) => a.length - b.length).at(-1) ?? [];
  return `${type} on ${device}`;
}
