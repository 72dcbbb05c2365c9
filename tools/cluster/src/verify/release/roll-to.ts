import { parseAllDocuments } from 'yaml';
import { demoNamespace, kubectl } from '../../kit/kubectl.ts';
import { overlayIn } from '../../kit/manifest-images.ts';
import { rolledOut, waitForRollout } from '../../kit/rollouts.ts';
import { runOrThrow } from '../../kit/run.ts';

type Rendered = { kind: string; metadata: { name: string; namespace?: string } };
/** `folder` has deploy/k8s; `tag` is the images' tag if it differs from the overlay's. */
type Release = { folder: string; tag?: string };

const waitSeconds = 600;

/** Rolls to a release in the order of docs/operations.md: settings and stores, `streams`, then one service after the other. */
export async function rollTo(
  release: Release,
  say: (line: string) => void,
  onStep: () => Promise<void>,
): Promise<void> {
  // The stand-ins do not roll: their receipts and mails are in memory.
  const objects = (await rendered(release)).filter(
    ({ kind, metadata }) => kind !== 'StatefulSet' || metadata.name !== 'sandbox',
  );
  const isDeployment = ({ kind }: Rendered) => kind === 'Deployment';
  await apply(objects.filter((object) => !isDeployment(object)));
  await waitForRollout('statefulset/nats', waitSeconds);
  await waitForRollout('statefulset/mongodb', waitSeconds);
  const isStreams = ({ metadata }: Rendered) => metadata.name === 'streams';
  const deployments = objects
    .filter(isDeployment)
    .sort((a, b) => Number(isStreams(b)) - Number(isStreams(a)));
  for (const deployment of deployments) {
    const { name } = deployment.metadata;
    await apply([deployment]);
    await waitForRollout(`deployment/${name}`, waitSeconds);
    say(`${name} is at ${release.tag ?? 'this tree'}`);
    await onStep();
  }
  await rolledOut(waitSeconds * 1000, say);
}

/** Deploys a release at once, while no partner works. */
export async function deploy(release: Release, say: (line: string) => void): Promise<void> {
  await apply(await rendered(release));
  await rolledOut(waitSeconds * 1000, say);
  say(`${release.tag ?? 'this tree'} is deployed`);
}

async function rendered({ folder, tag }: Release): Promise<Rendered[]> {
  const text = await runOrThrow('kubectl', ['kustomize', overlayIn(folder, 'verify')]);
  const tagged = tag === undefined ? text : text.replaceAll(/(image: casewatch\/[a-z]+):dev/g, `$1:${tag}`);
  const objects = parseAllDocuments(tagged).map((document) => document.toJS() as Rendered);
  return objects.flatMap(inDemonstration);
}

/** The namespace itself stays as it is. A release may have another one for its demonstration. */
function inDemonstration(object: Rendered): Rendered[] {
  if (object.kind === 'Namespace') return [];
  return [{ ...object, metadata: { ...object.metadata, namespace: demoNamespace } }];
}

async function apply(objects: readonly Rendered[]): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  await kubectl(['apply', '--filename', '-'], { input: JSON.stringify(list) });
}
