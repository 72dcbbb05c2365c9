import { kubectl, list, type Pod } from '../kubectl.ts';
import { until } from '../wait.ts';

/**
 * Restarts deployments one after the other, as an operator does who wants nobody to notice, and waits until no pod is left
 * of before: `rollout status` alone is content while they still end, and those must not meet what only the new ones can
 * read.
 */
export async function roll(deployments: readonly string[]): Promise<void> {
  if (deployments.length === 0) return;
  for (const name of deployments) {
    await kubectl(['rollout', 'restart', `deployment/${name}`]);
    await kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=300s']);
  }
  const selector = `app.kubernetes.io/name in (${deployments.join(',')})`;
  await until(
    async () =>
      (await list<Pod>('pods', selector)).every(({ metadata }) => metadata.deletionTimestamp === undefined),
    { what: 'the end of the former pods', timeoutMs: 120_000 },
  );
}
