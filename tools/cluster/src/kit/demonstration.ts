import { demoNamespace, tryKubectl } from './kubectl.ts';

/** Only the namespace of the demonstration has it (deploy/k8s/overlays/demo/namespace.yaml). */
export const demoLabel = { name: 'casewatch/demonstration', value: 'yes' };

type Namespace = { metadata?: { labels?: Record<string, string> } };

/** A namespace as the API server has it; null if there is none. @throws Error if the API server does not answer */
async function readNamespace(name: string): Promise<Namespace | null> {
  const args = ['get', 'namespace', name, '--ignore-not-found', '--output', 'json'];
  const { code, stdout, stderr } = await tryKubectl(args);
  if (code !== 0)
    throw new Error(
      `The API server did not say what the namespace ${name} is: ${stderr.trim() || `exit code ${code}`}`,
    );
  if (stdout.trim() === '') return null;
  const answer: unknown = JSON.parse(stdout);
  if (typeof answer !== 'object' || answer === null)
    throw new Error(`The API server did not say what the namespace ${name} is.`);
  return answer as Namespace;
}

/** Whether a namespace is the demonstration's; null if it does not exist. @throws Error if the API server does not answer */
export async function isDemonstration(name: string): Promise<boolean | null> {
  const namespace = await readNamespace(name);
  if (namespace === null) return null;
  const labels = namespace.metadata?.labels ?? {};
  const instance = labels['app.kubernetes.io/instance'] ?? 'demo';
  return labels[demoLabel.name] === demoLabel.value && instance === 'demo';
}

/**
 * Asks the API server whether the demonstration's namespace is what its name says. Called before every part that changes the
 * cluster, because kubectl may have another cluster meanwhile. @returns whether it exists @throws Error if it is not the demonstration
 */
export async function checkDemonstration(): Promise<boolean> {
  const answer = await isDemonstration(demoNamespace);
  if (answer === false)
    throw new Error(
      `The namespace ${demoNamespace} of kubectl's cluster has no label ${demoLabel.name}=${demoLabel.value}: it is not the demonstration. Nothing was changed. ` +
        `kubectl config current-context shows the cluster; choose another one.`,
    );
  return answer ?? false;
}

/** Creates the namespace with its label if it is missing. @throws Error if another one has its name */
export async function ensureDemonstration(manifest: string): Promise<void> {
  if (await checkDemonstration()) return;
  // Unlike apply, create never changes a namespace that appears meanwhile. Without --save-config, the next apply warns.
  const { code, stderr } = await tryKubectl(['create', '--save-config', '--filename', manifest]);
  if (code !== 0) throw new Error(`The namespace ${demoNamespace} was not created: ${stderr.trim()}`);
  if (!(await checkDemonstration()))
    throw new Error(`The namespace ${demoNamespace} is missing after its creation.`);
}

/** Deletes the demonstration with its volumes. The API server looks at the label again. */
export async function deleteDemonstration(): Promise<void> {
  if (!(await checkDemonstration())) return;
  const only = [
    `--selector=${demoLabel.name}=${demoLabel.value}`,
    `--field-selector=metadata.name=${demoNamespace}`,
  ];
  const { code, stderr } = await tryKubectl(['delete', 'namespaces', ...only, '--timeout=300s']);
  if (code !== 0) throw new Error(`The namespace ${demoNamespace} was not deleted: ${stderr.trim()}`);
}
