import { isReady, kubectl, list, type Pod } from './kubectl.ts';
import { until } from './wait.ts';

type Scaler = { metadata: { name: string }; spec: { minReplicas: number } };

/**
 * Waits until every workload is out in its latest form, every autoscaler has its least number of pods, and all pods
 * that are there are ready.
 */
export async function rolledOut(timeoutMs: number, say: (line: string) => void): Promise<void> {
  const timeout = `--timeout=${Math.ceil(timeoutMs / 1000)}s`;
  const scalers = await list<Scaler>('horizontalpodautoscalers');
  const names = await kubectl(['get', 'deployments,statefulsets', '--output', 'name']);
  await Promise.all(
    names
      .trim()
      .split('\n')
      .map((name) => kubectl(['rollout', 'status', name, timeout])),
  );
  await until(
    async () => {
      const pods = (await list<Pod>('pods')).filter(isHereToStay);
      const waiting = pods.filter((pod) => !isReady(pod));
      const short = scalers.filter(
        ({ metadata, spec }) => pods.filter((pod) => isOf(pod, metadata.name)).length < spec.minReplicas,
      );
      return waiting.length === 0 && short.length === 0;
    },
    { what: 'every pod to be ready', timeoutMs, intervalMs: 1_000 },
  );
  say('every workload is available');
}

function isOf({ metadata }: Pod, name: string): boolean {
  return metadata.labels['app.kubernetes.io/name'] === name;
}

function isHereToStay({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded';
}
