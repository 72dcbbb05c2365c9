import { serviceNames } from '@casewatch/contracts';
import { demoLabel } from '../kit/demonstration.ts';
import { demoNamespace } from '../kit/kubectl.ts';
import { objectsIn } from '../kit/objects.ts';

type Named = {
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
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
type WayIn = Named & {
  spec?: {
    ingressClassName?: string;
    gatewayClassName?: string;
    default?: { logging?: { enabled?: boolean } };
  };
};
type Workload = Named & {
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
};

const stableLabels = new Set(['app.kubernetes.io/name']);
/** Kubernetes' "Recommended Labels" without `version`: the images' digests are the version. */
const commonLabels = ['name', 'instance', 'component', 'part-of', 'managed-by'].map(
  (label) => `app.kubernetes.io/${label}`,
);

/** Rules of this project that no general tool knows. @returns findings */
export function checkDomain(text: string): string[] {
  const objects = objectsIn<Named>(text);
  const workloads = objects.filter(
    ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
  ) as Workload[];
  return [
    ...missingParts(objects),
    ...missingBudgets(objects),
    ...mixedNamespaces(objects),
    ...ingressLogs(objects),
    ...workloads.flatMap(faultsOf),
    ...workloads.flatMap(mongodLogs),
  ];
}

function missingParts(objects: Named[]): string[] {
  const kindsOfAll = ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget', 'NetworkPolicy'];
  return serviceNames.flatMap((service) => {
    // One monitor sends, the others stand by: more replicas take no load.
    const kinds = service === 'monitor' ? kindsOfAll : [...kindsOfAll, 'HorizontalPodAutoscaler'];
    return kinds
      .filter((kind) => !objects.some((object) => object.kind === kind && object.metadata.name === service))
      .map((kind) => `${service} has no ${kind}`);
  });
}

function missingBudgets(objects: Named[]): string[] {
  const names = (kind: string) =>
    objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
  const sets = names('StatefulSet').filter((name) => name !== 'sandbox');
  const budgets = names('PodDisruptionBudget');
  return sets.filter((name) => !budgets.includes(name)).map((name) => `${name} has no PodDisruptionBudget`);
}

/** The demonstration and production have namespaces of their own: whoever applies one of them cannot change the other. */
function mixedNamespaces(objects: Named[]): string[] {
  return objects.flatMap(({ kind, metadata }) => {
    const { name, labels = {} } = metadata;
    const namespace = kind === 'Namespace' ? name : metadata.namespace;
    const isDemo = labels['app.kubernetes.io/instance'] === 'demo';
    const faults: string[] = [];
    if ((namespace === demoNamespace) !== isDemo)
      faults.push(`${kind} ${name} is in the namespace ${namespace}`);
    if (kind === 'Namespace' && (labels[demoLabel.name] === demoLabel.value) !== isDemo)
      faults.push(`Namespace ${name} ${isDemo ? 'lacks' : 'has'} the label ${demoLabel.name}`);
    return faults;
  });
}

/** A way in would log whole URLs, with the tokens of links in mails. */
function ingressLogs(objects: WayIn[]): string[] {
  const isOff = ({ metadata, spec }: WayIn) => {
    const { annotations = {} } = metadata;
    return spec?.ingressClassName === 'alb'
      ? annotations['alb.ingress.kubernetes.io/load-balancer-attributes']
          ?.split(',')
          .includes('access_logs.s3.enabled=false')
      : annotations['nginx.ingress.kubernetes.io/enable-access-log'] === 'false';
  };
  const ingresses = objects.filter(({ kind }) => kind === 'Ingress');
  const isQuiet = objects.some(
    ({ kind, spec }) => kind === 'GCPBackendPolicy' && spec?.default?.logging?.enabled === false,
  );
  const gateways = objects.filter(
    ({ kind, spec }) => kind === 'Gateway' && spec?.gatewayClassName?.startsWith('gke-') && !isQuiet,
  );
  return [...ingresses.filter((ingress) => !isOff(ingress)), ...gateways].map(
    ({ kind, metadata }) => `${kind} ${metadata.name} logs tokens`,
  );
}

/** mongod logs slow operations with their filters, which hold e-mail addresses. */
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
  // Selectors cannot be changed later, so they hold no label of a version or an overlay.
  for (const label of Object.keys(spec.selector.matchLabels))
    if (!stableLabels.has(label)) faults.push(`${kind} ${name} selects by ${label}`);
  for (const label of commonLabels)
    if (!spec.template.metadata.labels[label]) faults.push(`pods of ${name} have no label ${label}`);
  if (spec.template.spec.automountServiceAccountToken !== false) faults.push(`pods of ${name} mount a token`);
  for (const container of spec.template.spec.containers.filter((container) => container.name === name))
    for (const part of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
      if (!container[part]) faults.push(`${name} has no ${part}`);
  const drains = spec.template.spec.containers.some(({ lifecycle }) => lifecycle !== undefined);
  if (kind === 'Deployment' && !drains) faults.push(`${name} does not wait before it stops`);
  return faults;
}
