import { type StdioOptions, spawn } from 'node:child_process';
import { type RunOptions, type RunResult, run, runOrThrow } from './run.ts';

const program = 'kubectl';

/** Of the demonstration, which deploy/k8s installs and `verify:cluster` works in. Production has another one. */
export const demoNamespace = 'casewatch-demo';

let namespace = demoNamespace;

/** Chooses another namespace for all commands of this process: a backup or restore of production. */
export function useNamespace(name: string): void {
  namespace = name;
}

/** The namespace of all commands. */
export function currentNamespace(): string {
  return namespace;
}

export type Pod = {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { containers: { name: string }[] };
  status: { phase: string; conditions?: { type: string; status: string }[] };
};

/** kubectl in the namespace. @throws Error with its message */
export function kubectl(args: readonly string[], options?: RunOptions): Promise<string> {
  return runOrThrow(program, ['--namespace', namespace, ...args], options);
}

export function tryKubectl(args: readonly string[], options?: RunOptions): Promise<RunResult> {
  return run(program, ['--namespace', namespace, ...args], options);
}

/** Objects of a kind, e.g. `pods`, with the labels of `selector`. */
export async function list<T>(kind: string, selector = ''): Promise<T[]> {
  const text = await kubectl(['get', kind, '--selector', selector, '--output', 'json']);
  return (JSON.parse(text) as { items: T[] }).items;
}

export async function deployments(): Promise<string[]> {
  const objects = await list<{ metadata: { name: string } }>('deployments');
  return objects.map(({ metadata }) => metadata.name);
}

/** The pods of a workload that do not end. */
export async function podsOf(name: string): Promise<Pod[]> {
  const pods = await list<Pod>('pods', `app.kubernetes.io/name=${name}`);
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

export function isReady({ metadata, status }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** Runs a program in a container; `where` is a pod or `deploy/<name>`. */
export function exec(
  where: string,
  container: string,
  command: readonly string[],
  timeoutMs = 60_000,
): Promise<RunResult> {
  return tryKubectl(['exec', where, '--container', container, '--', ...command], { timeoutMs });
}

/** kubectl for much data, with streams of the caller; `ended` resolves with the exit code. */
export function startKubectl(args: readonly string[], stdio: StdioOptions) {
  const child = spawn(program, ['--namespace', namespace, ...args], { stdio });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { child, ended };
}

/** Deletes a pod at once, as the loss of a node does. */
export async function killPod(name: string): Promise<void> {
  await kubectl(['delete', 'pod', name, '--grace-period=0', '--force', '--wait=false']);
}
