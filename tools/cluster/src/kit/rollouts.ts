import { isReady, kubectl, list, type Pod } from './kubectl.ts';
import { until } from './wait.ts';

type Scaler = { metadata: { name: string }; spec: { minReplicas: number } };

export async function waitForRollout(workload: string, timeoutSeconds: number): Promise<void> {
  await kubectl(['rollout', 'status', workload, `--timeout=${timeoutSeconds}s`]);
}

export async function restart(workload: string, timeoutSeconds = 300): Promise<void> {
  await kubectl(['rollout', 'restart', workload]);
  await waitForRollout(workload, timeoutSeconds);
}

/** Restarts deployments in turn and waits until the former pods are gone, which `rollout status` does not wait for. */
export async function restartInTurn(deployments: readonly string[]): Promise<void> {
  if (deployments.length === 0) return;
  for (const name of deployments) await restart(`deployment/${name}`);
  const selector = `app.kubernetes.io/name in (${deployments.join(',')})`;
  const isRunning = ({ metadata }: Pod) => metadata.deletionTimestamp === undefined;
  await until(async () => (await list<Pod>('pods', selector)).every(isRunning), {
    what: 'the end of the former pods',
    timeoutMs: 120_000,
  });
}

/** Has the pods of a workload read their changed Secrets at once: an annotation does that; else it takes up to two minutes. */
export async function refreshSecrets(name: string): Promise<void> {
  const annotation = `casewatch/secrets-changed=${Date.now()}`;
  const selector = `--selector=app.kubernetes.io/name=${name}`;
  await kubectl(['annotate', 'pods', selector, '--overwrite', annotation]);
}

/** Waits until every workload is rolled out, every autoscaler has its least number of pods, and all pods are ready. */
export async function rolledOut(timeoutMs: number, say: (line: string) => void): Promise<void> {
  const scalers = await list<Scaler>('horizontalpodautoscalers');
  const names = (await kubectl(['get', 'deployments,statefulsets', '--output', 'name'])).trim().split('\n');
  await Promise.all(names.map((name) => waitForRollout(name, Math.ceil(timeoutMs / 1000))));
  await until(
    async () => {
      const pods = (await list<Pod>('pods')).filter(
        ({ metadata, status }) => metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded',
      );
      const countOf = (name: string) =>
        pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name).length;
      const isShort = ({ metadata, spec }: Scaler) => countOf(metadata.name) < spec.minReplicas;
      return pods.every(isReady) && !scalers.some(isShort);
    },
    { what: 'every pod to be ready', timeoutMs, intervalMs: 1_000 },
  );
  say('every workload is available');
}
