import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kubectl } from '../kubectl.ts';
import { rolledOut } from '../rolled-out.ts';
import { must } from '../run.ts';

type Rendered = { kind: string; metadata: { name: string } };
type Release = {
  /** The folder that has deploy/k8s. */
  folder: string;
  /** The images' tag, where it is another one than the overlay's. */
  tag?: string;
};

const waitMs = 600_000;

/**
 * Rolls to a release as docs/operations.md says: settings and the stores first, then `streams`, then one service after the other,
 * each until it is out. `onStep`: after each of them.
 */
export async function rollTo(
  release: Release,
  say: (line: string) => void,
  onStep: () => Promise<void>,
): Promise<void> {
  // The stand-ins are the outside world: they keep their receipts and mails in memory, and do not roll with us.
  const objects = (await rendered(release)).filter(
    ({ kind, metadata }) => kind !== 'StatefulSet' || metadata.name !== 'sandbox',
  );
  const isDeployment = ({ kind }: Rendered) => kind === 'Deployment';
  await apply(objects.filter((object) => !isDeployment(object)));
  await kubectl(['rollout', 'status', 'statefulset/nats', `--timeout=${waitMs / 1000}s`]);
  await kubectl(['rollout', 'status', 'statefulset/mongodb', `--timeout=${waitMs / 1000}s`]);
  const isStreams = ({ metadata }: Rendered) => metadata.name === 'streams';
  const deployments = objects
    .filter(isDeployment)
    .sort((a, b) => Number(isStreams(b)) - Number(isStreams(a)));
  for (const deployment of deployments) {
    const { name } = deployment.metadata;
    await apply([deployment]);
    await kubectl(['rollout', 'status', `deployment/${name}`, `--timeout=${waitMs / 1000}s`]);
    say(`${name} is at ${release.tag ?? 'this tree'}`);
    await onStep();
  }
  await rolledOut(waitMs, say);
}

/** Everything of a release at once, where no partner is there to notice. */
export async function deploy(release: Release, say: (line: string) => void): Promise<void> {
  await apply(await rendered(release));
  await rolledOut(waitMs, say);
  say(`${release.tag ?? 'this tree'} is deployed`);
}

async function rendered({ folder, tag }: Release): Promise<Rendered[]> {
  const text = await must('kubectl', ['kustomize', join(folder, 'deploy/k8s/overlays/verify')]);
  const ours = tag === undefined ? text : text.replaceAll(/(image: casewatch\/[a-z]+):dev/g, `$1:${tag}`);
  return parseAllDocuments(ours).map((document) => document.toJS() as Rendered);
}

async function apply(objects: readonly Rendered[]): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  await kubectl(['apply', '--filename', '-'], { input: JSON.stringify(list) });
}
