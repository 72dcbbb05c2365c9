import { serviceNames } from '@casewatch/contracts';
import { parseAllDocuments } from 'yaml';

type Named = {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
};
type PodSpec = {
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  containers: {
    name: string;
    command?: string[];
    lifecycle?: unknown;
    readinessProbe?: unknown;
    livenessProbe?: unknown;
    startupProbe?: unknown;
  }[];
};
type Workload = Named & {
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
};

const stableLabels = new Set(['app.kubernetes.io/name']);

/** Rules of ours that no general tool knows. @returns what is wrong, one line each */
export function checkDomain(text: string): string[] {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Named);
  const workloads = objects.filter(
    ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
  ) as Workload[];
  return [
    ...missingParts(objects),
    ...missingBudgets(objects),
    ...ingressLogs(objects),
    ...workloads.flatMap(faultsOf),
    ...workloads.flatMap(mongodLogs),
  ];
}

/** Each service with everything that belongs to it. */
function missingParts(objects: Named[]): string[] {
  const wanted = ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget', 'NetworkPolicy'];
  return serviceNames.flatMap((service) => {
    // One monitor works, the others stand by: load has nothing to do with how many there are.
    const kinds = service === 'monitor' ? wanted : [...wanted, 'HorizontalPodAutoscaler'];
    return kinds
      .filter((kind) => !objects.some((object) => object.kind === kind && object.metadata.name === service))
      .map((kind) => `${service} has no ${kind}`);
  });
}

/** MongoDB and NATS lose one member at a time. */
function missingBudgets(objects: Named[]): string[] {
  const names = (kind: string) =>
    objects.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
  const sets = names('StatefulSet').filter((name) => name !== 'sandbox');
  const budgets = names('PodDisruptionBudget');
  return sets.filter((name) => !budgets.includes(name)).map((name) => `${name} has no PodDisruptionBudget`);
}

/** An ingress logs whole addresses: the tokens of links in mails, too. */
function ingressLogs(objects: Named[]): string[] {
  const isOff = ({ metadata }: Named) =>
    metadata.annotations?.['nginx.ingress.kubernetes.io/enable-access-log'] === 'false';
  const ingresses = objects.filter(({ kind }) => kind === 'Ingress');
  return ingresses.filter((one) => !isOff(one)).map(({ metadata }) => `Ingress ${metadata.name} logs tokens`);
}

/** mongod logs slow operations with their filters: addresses of people. */
function mongodLogs({ metadata, spec }: Workload): string[] {
  const commands = spec.template.spec.containers.map(({ command }) => command ?? []);
  const logging = commands.filter(
    (command) => command[0] === 'mongod' && !command.includes('--slowOpSampleRate=0'),
  );
  return logging.map(() => `${metadata.name} logs the filters of slow operations`);
}

function faultsOf({ kind, metadata, spec }: Workload): string[] {
  const { name } = metadata;
  const faults: string[] = [];
  // Selectors cannot be changed: they hold nothing that a version or an overlay might.
  for (const label of Object.keys(spec.selector.matchLabels))
    if (!stableLabels.has(label)) faults.push(`${kind} ${name} selects by ${label}`);
  for (const label of ['app.kubernetes.io/name', 'app.kubernetes.io/part-of', 'app.kubernetes.io/component'])
    if (!spec.template.metadata.labels[label]) faults.push(`pods of ${name} have no label ${label}`);
  if (spec.template.spec.automountServiceAccountToken !== false) faults.push(`pods of ${name} mount a token`);
  for (const container of spec.template.spec.containers.filter((one) => one.name === name))
    for (const part of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
      if (!container[part]) faults.push(`${name} has no ${part}`);
  const drains = spec.template.spec.containers.some(({ lifecycle }) => lifecycle !== undefined);
  if (kind === 'Deployment' && !drains) faults.push(`${name} does not wait before it stops`);
  return faults;
}
