import { type StdioOptions, spawn } from 'node:child_process';
import { must, type Ran, type RunOptions, run } from './run.ts';

const program = 'kubectl';

/** The namespace that deploy/k8s makes. */
export const NAMESPACE = 'casewatch';

export type Pod = {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { containers: { name: string }[] };
  status: { phase: string; conditions?: { type: string; status: string }[] };
};

/** kubectl in the namespace, against the cluster that its own configuration names. @throws Error with what it said */
export function kubectl(args: readonly string[], options?: RunOptions): Promise<string> {
  return must(program, ['--namespace', NAMESPACE, ...args], options);
}

/** The same where failing is an answer too. */
export function tryKubectl(args: readonly string[], options?: RunOptions): Promise<Ran> {
  return run(program, ['--namespace', NAMESPACE, ...args], options);
}

/** Objects of one kind, e.g. `pods`, `deployments`; `selector` narrows them by label. */
export async function list<T>(kind: string, selector = ''): Promise<T[]> {
  const text = await kubectl(['get', kind, '--selector', selector, '--output', 'json']);
  return (JSON.parse(text) as { items: T[] }).items;
}

export async function deployments(): Promise<string[]> {
  const found = await list<{ metadata: { name: string } }>('deployments');
  return found.map(({ metadata }) => metadata.name);
}

/** Pods that are there to stay, by the name in their label. */
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
): Promise<Ran> {
  return tryKubectl(['exec', where, '--container', container, '--', ...command], { timeoutMs });
}

/** kubectl for much data: its streams are the caller's, and `ended` says with which exit code it ended. */
export function startKubectl(args: readonly string[], stdio: StdioOptions) {
  const child = spawn(program, ['--namespace', NAMESPACE, ...args], { stdio });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { child, ended };
}

/** Ends a pod at once, as a lost node does. */
export async function killPod(name: string): Promise<void> {
  await kubectl(['delete', 'pod', name, '--grace-period=0', '--force', '--wait=false']);
}
