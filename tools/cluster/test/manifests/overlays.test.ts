import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join, relative } from 'node:path';
import { serviceNames } from '@casewatch/contracts';
import { type TempFolder, tempFolder } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { parse } from 'yaml';
import { objectsIn } from '../../src/kit/objects.ts';
import { checkDomain } from '../../src/manifests/domain-rules.ts';
import { splitKinds } from '../../src/manifests/static-checks.ts';
import { checkTransport } from '../../src/manifests/transport-rules.ts';
import { DEPLOY } from '../../src/verify/settings.ts';

/** npm test says that it is missing. */
const describeWithKubectl = spawnSync('which', ['kubectl']).status === 0 ? describe : describe.skip;
const render = (folder: string) =>
  execFileSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: 'pipe',
  });

type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: 'In' | 'NotIn'; values: string[] }[];
};
type Peer = {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
};
type Port = { port: number | string; endPort?: number; protocol?: string };
type Policy = {
  podSelector: Selector;
  ingress?: { from?: Peer[]; ports?: Port[] }[];
  egress?: { to?: Peer[]; ports?: Port[] }[];
};
/** Of many kinds: what the parser gives. */
type Spec = ReturnType<typeof parse>;
type Rendered = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec?: Spec;
};

const objectsOf = (text: string) => objectsIn<Rendered>(text);
const named = (objects: Rendered[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

/** A pod, or an address outside. */
type End = { labels: Record<string, string>; namespace: string } | { address: string };
const pod = (name: string, namespace = 'casewatch', label = 'app.kubernetes.io/name'): End => ({
  namespace,
  labels: { [label]: name },
});

function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Record<string, string>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(
      ({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'),
    )
  );
}

function isPeer(peer: Peer, end: End): boolean {
  if ('address' in end) {
    if (peer.ipBlock === undefined) return false;
    const contains = (cidr: string) => {
      const list = new BlockList();
      const [net = '', prefix] = cidr.split('/');
      list.addSubnet(net, Number(prefix), 'ipv4');
      return list.check(end.address, 'ipv4');
    };
    return contains(peer.ipBlock.cidr) && !(peer.ipBlock.except ?? []).some(contains);
  }
  if (peer.ipBlock !== undefined) return false;
  const isNamespace = peer.namespaceSelector
    ? selects(peer.namespaceSelector, { 'kubernetes.io/metadata.name': end.namespace })
    : end.namespace === 'casewatch';
  return isNamespace && selects(peer.podSelector ?? {}, end.labels);
}

/** As Kubernetes decides: what one policy allows is allowed. A named port is that of the pods that have the name. */
function allows(objects: Rendered[], from: End, to: End, port: number | string, protocol = 'TCP'): boolean {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as Policy);
  const hasPort = (ports: Port[] = []) =>
    ports.some(
      (each) =>
        (each.protocol ?? 'TCP') === protocol &&
        (each.port === port ||
          (typeof port === 'number' &&
            typeof each.port === 'number' &&
            port >= each.port &&
            port <= (each.endPort ?? each.port))),
    );
  const isOurs = (end: End): end is Extract<End, { labels: unknown }> =>
    'labels' in end && end.namespace === 'casewatch';
  const leaves =
    !isOurs(from) ||
    policies.some(
      ({ podSelector, egress = [] }) =>
        selects(podSelector, from.labels) &&
        egress.some((rule) => hasPort(rule.ports) && (rule.to ?? []).some((peer) => isPeer(peer, to))),
    );
  const enters =
    !isOurs(to) ||
    policies.some(
      ({ podSelector, ingress = [] }) =>
        selects(podSelector, to.labels) &&
        ingress.some(
          (rule) =>
            hasPort(rule.ports) && (rule.from === undefined || rule.from.some((peer) => isPeer(peer, from))),
        ),
    );
  return leaves && enters;
}

const overlays = ['production', 'eks', 'gke', 'own'];

describeWithKubectl.each(overlays)('overlays/%s', (overlay) => {
  let text: string;
  let objects: Rendered[];
  beforeAll(() => {
    text = render(join(DEPLOY, 'overlays', overlay));
    objects = objectsOf(text);
  });

  it('follows our rules, and has no kind that nobody knows', () => {
    expect([...checkDomain(text), ...checkTransport(text), ...splitKinds(text).unknown]).toEqual([]);
    // The values of the installation are for the components alone.
    expect(named(objects, 'ConfigMap', 'install')).toBeUndefined();
  });

  it.each([
    ['kube-dns', pod('kube-dns', 'kube-system', 'k8s-app')],
    ['NodeLocal DNSCache as a pod', pod('node-local-dns', 'kube-system', 'k8s-app')],
    ['NodeLocal DNSCache', { address: '169.254.20.10' }],
    ['Cloud DNS of GKE', { address: '169.254.169.254' }],
  ])('lets every pod ask %s for names', (_what, server) => {
    for (const service of [...serviceNames, 'streams'])
      for (const protocol of ['UDP', 'TCP'])
        expect([service, protocol, allows(objects, pod(service), server, 53, protocol)]).toEqual([
          service,
          protocol,
          true,
        ]);
  });

  it('lets no pod read the metadata of its machine, or call another service or database than its own', () => {
    for (const service of [...serviceNames, 'streams']) {
      for (const port of [80, 443, 988])
        expect([service, port, allows(objects, pod(service), { address: '169.254.169.254' }, port)]).toEqual([
          service,
          port,
          false,
        ]);
      expect(allows(objects, pod('unknown'), pod(service), 'http')).toBe(false);
    }
    expect(allows(objects, pod('cases'), pod('identity'), 'http')).toBe(false);
    expect(allows(objects, pod('gateway'), pod('identity'), 'http')).toBe(true);
    const [mongodb, port] =
      overlay === 'own' ? [pod('mongodb'), 'mongodb'] : [{ address: '198.51.100.16' }, 27017];
    for (const service of serviceNames)
      expect([service, allows(objects, pod(service), mongodb, port)]).toEqual([
        service,
        service !== 'gateway',
      ]);
    expect(allows(objects, pod('cases'), { address: '198.51.100.200' }, 27017)).toBe(false);
  });
});

describeWithKubectl('the overlays of the install pages', () => {
  let eks: Rendered[];
  let gke: Rendered[];
  beforeAll(() => {
    [eks, gke] = ['eks', 'gke'].map((name) => objectsOf(render(join(DEPLOY, 'overlays', name)))) as [
      Rendered[],
      Rendered[],
    ];
  });

  it('let services reach the NATS of the chart, and nobody else', () => {
    for (const objects of [eks, gke]) {
      for (const service of [...serviceNames, 'streams'])
        expect([service, allows(objects, pod(service), pod('nats'), 4222)]).toEqual([service, true]);
      expect(allows(objects, pod('nats'), pod('nats'), 6222)).toBe(true);
      expect(allows(objects, pod('unknown'), pod('nats'), 4222)).toBe(false);
      expect(allows(objects, pod('cases', 'elsewhere'), pod('nats'), 4222)).toBe(false);
      expect(allows(objects, pod('cases'), pod('nats'), 8222)).toBe(false);
    }
  });

  it('open the ports of a private link, at its addresses alone', () => {
    for (const objects of [eks, gke])
      for (const port of [1024, 27015, 65535])
        expect(allows(objects, pod('cases'), { address: '198.51.100.16' }, port)).toBe(true);
    expect(allows(eks, pod('cases'), { address: '198.51.100.18' }, 1030)).toBe(true);
    expect(allows(eks, pod('cases'), { address: '198.51.100.19' }, 1030)).toBe(false);
    expect(allows(eks, pod('gateway'), { address: '198.51.100.16' }, 1030)).toBe(false);
    expect(allows(eks, pod('cases'), { address: '198.51.100.16' }, 443)).toBe(false);
  });

  it('let the load balancer alone call the gateway, and trust the addresses that it writes', () => {
    const ways: [Rendered[], string, string, string][] = [
      [eks, '198.51.100.40', '192.168.1.1', '1'],
      [gke, '35.191.7.7', '10.4.0.9', '2'],
    ];
    for (const [objects, balancer, other, hops] of ways) {
      expect(allows(objects, { address: balancer }, pod('gateway'), 'http')).toBe(true);
      expect(allows(objects, { address: other }, pod('gateway'), 'http')).toBe(false);
      expect(allows(objects, pod('cases'), pod('gateway'), 'http')).toBe(false);
      const settings = objects.find(
        ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('gateway-settings-'),
      );
      expect(settings?.data?.TRUSTED_HOPS).toBe(hops);
    }
  });

  it('give a pod of the gateway longer to leave than its parts need', () => {
    for (const objects of [eks, gke]) {
      const { template } = named(objects, 'Deployment', 'gateway')?.spec ?? {};
      const [{ lifecycle }] = template.spec.containers;
      // preStop, DRAIN_MS of base, and the process's own limit.
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        lifecycle.preStop.sleep.seconds + 5 + 20,
      );
    }
    // The load balancer of AWS sends requests until the end of its own delay.
    const annotations = named(eks, 'Ingress', 'gateway')?.metadata.annotations;
    const [, delay] =
      /deregistration_delay\.timeout_seconds=(\d+)/.exec(
        annotations?.['alb.ingress.kubernetes.io/target-group-attributes'] ?? '',
      ) ?? [];
    expect(Number(delay)).toBeLessThan(20);
  });

  it('give every service the authority of NATS, and no key', () => {
    for (const objects of [eks, gke])
      for (const service of [...serviceNames, 'streams']) {
        const { volumes, containers } = named(objects, 'Deployment', service)?.spec.template.spec ?? {};
        const volume = volumes.find(({ name }: { name: string }) => name === 'nats-authority');
        expect([service, volume?.secret]).toEqual([
          service,
          { secretName: 'nats-tls', defaultMode: 0o440, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
        ]);
        expect(containers[0].volumeMounts).toContainEqual({
          name: 'nats-authority',
          mountPath: '/run/secrets/nats',
          readOnly: true,
        });
      }
  });

  it('have a Gateway whose routes, certificate and policies belong together', () => {
    const { listeners, addresses, gatewayClassName } = named(gke, 'Gateway', 'gateway')?.spec ?? {};
    expect([gatewayClassName, addresses]).toEqual([
      'gke-l7-global-external-managed',
      [{ type: 'NamedAddress', value: 'casewatch' }],
    ]);
    const names = listeners.map(({ name }: { name: string }) => name);
    const routes = gke.filter(({ kind }) => kind === 'HTTPRoute');
    expect(routes).toHaveLength(2);
    for (const { spec } of routes) {
      expect(spec.parentRefs).toEqual([{ name: 'gateway', sectionName: expect.any(String) }]);
      expect(names).toContain(spec.parentRefs[0].sectionName);
      expect(spec.hostnames).toEqual(['casewatch.example']);
    }
    const [{ name, port } = { name: '', port: 0 }] = routes.flatMap(
      ({ spec }) => spec.rules[0].backendRefs ?? [],
    );
    expect(named(gke, 'Service', name)?.spec.ports.map((each: { port: number }) => each.port)).toContain(
      port,
    );
    const https = listeners.find(({ protocol }: { protocol: string }) => protocol === 'HTTPS');
    const certificate = named(gke, 'Certificate', 'gateway-tls')?.spec;
    expect(https.tls.certificateRefs).toEqual([{ name: certificate?.secretName }]);
    expect([certificate?.dnsNames, https.hostname]).toEqual([['casewatch.example'], 'casewatch.example']);
    const [solver] = named(gke, 'Issuer', certificate?.issuerRef.name)?.spec.acme.solvers ?? [];
    const [parent] = solver.http01.gatewayHTTPRoute.parentRefs;
    expect([parent.name, names.includes(parent.sectionName)]).toEqual(['gateway', true]);
    expect(
      allows(
        gke,
        { address: '8.8.8.8' },
        { namespace: 'casewatch', labels: { 'acme.cert-manager.io/http01-solver': 'true' } },
        8089,
      ),
    ).toBe(true);
    for (const { kind, spec } of gke.filter(({ apiVersion }) => apiVersion === 'networking.gke.io/v1'))
      expect([kind, named(gke, spec.targetRef.kind, spec.targetRef.name)?.kind]).toEqual([
        kind,
        spec.targetRef.kind,
      ]);
  });
});

describeWithKubectl('a component on its own overlay', () => {
  let folder: TempFolder;
  let place: string;
  beforeAll(async () => {
    folder = await tempFolder();
    // kustomize follows links before it reads a relative path.
    place = realpathSync(folder.path);
  });
  afterAll(() => folder.remove());

  /** An overlay of production with these components, and this host in its one place. */
  function renderWith(name: string, components: string[], install: string[]): Rendered[] {
    const at = join(place, name);
    mkdirSync(join(at, 'install'), { recursive: true });
    const installed = join(DEPLOY, 'overlays/production/install/kustomization.yaml');
    writeFileSync(join(at, 'install/kustomization.yaml'), readFileSync(installed, 'utf8'));
    writeFileSync(join(at, 'install/install.env'), ['HOST=cases.firm.test', ...install, ''].join('\n'));
    const here = relative(at, realpathSync(DEPLOY));
    const lines = [
      'apiVersion: kustomize.config.k8s.io/v1beta1',
      'kind: Kustomization',
      'namespace: casewatch',
      `resources: [${here}/production, install]`,
      'components:',
      ...['network-policies', 'tls', ...components].map((each) => `  - ${here}/components/${each}`),
    ];
    writeFileSync(join(at, 'kustomization.yaml'), `${lines.join('\n')}\n`);
    return objectsOf(render(at));
  }

  const balancer = [
    'LOAD_BALANCER_CIDR_1=10.0.0.0/24',
    'LOAD_BALANCER_CIDR_2=10.0.1.0/24',
    'LOAD_BALANCER_CIDR_3=10.0.2.0/24',
  ];
  const ways: [string, string[], string[]][] = [
    ['ingress', ['ingress'], []],
    ['alb', ['alb'], balancer],
    ['gateway-api', ['gateway-api', 'public-certificate'], []],
    ['gke', ['gke', 'public-certificate'], []],
  ];

  it.each(ways)('%s: the host stands in one file, and is everywhere', (name, components, install) => {
    const objects = renderWith(name, components, install);
    const text = JSON.stringify(objects);
    expect(text).not.toContain('casewatch.example');
    const addresses = objects.flatMap(({ data }) =>
      data?.PUBLIC_URL === undefined ? [] : [data.PUBLIC_URL],
    );
    expect(addresses).toEqual(Array(3).fill('https://cases.firm.test'));
    const hosts = objects.flatMap(({ kind, spec }) => {
      if (kind === 'Ingress') return [spec.rules[0].host, spec.tls[0].hosts[0]];
      if (kind === 'Gateway') return spec.listeners.map(({ hostname }: { hostname: string }) => hostname);
      if (kind === 'HTTPRoute') return spec.hostnames;
      return kind === 'Certificate' ? spec.dnsNames : [];
    });
    expect(hosts.length).toBeGreaterThan(1);
    expect([...new Set(hosts)]).toEqual(['cases.firm.test']);
  });

  it('gateway-api lets the proxies of its namespace in, and nobody else', () => {
    const objects = renderWith('proxies', ['gateway-api'], []);
    expect(allows(objects, pod('envoy', 'envoy-gateway-system'), pod('gateway'), 'http')).toBe(true);
    expect(allows(objects, pod('envoy', 'elsewhere'), pod('gateway'), 'http')).toBe(false);
  });

  it('says which value is missing', () => {
    expect(() => renderWith('missing', ['alb'], balancer.slice(1))).toThrow(/LOAD_BALANCER_CIDR_1/);
  });

  it('lets an overlay replace a setting of production', () => {
    const at = join(place, 'own');
    mkdirSync(at);
    writeFileSync(
      join(at, 'kustomization.yaml'),
      [
        `resources: [${relative(at, realpathSync(DEPLOY))}/overlays/production]`,
        'configMapGenerator: [{name: notifier-settings, behavior: merge, literals: [NOTIFY_SEND_TIMEOUT_MS=9000]}]',
        '',
      ].join('\n'),
    );
    const settings = objectsOf(render(at)).filter(({ metadata }) =>
      metadata.name.startsWith('notifier-settings'),
    );
    expect(settings.map(({ data }) => data?.NOTIFY_SEND_TIMEOUT_MS)).toEqual(['9000']);
  });
});

it('every component is in an overlay, in another component, or described', () => {
  const readme = readFileSync(join(DEPLOY, 'README.md'), 'utf8');
  const names = readdirSync(join(DEPLOY, 'components'));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !readme.includes(`\`components/${name}\``))).toEqual([]);
});

it('the validator gets kinds of Kubernetes alone, and an unknown kind is a finding', () => {
  const { known, unknown } = splitKinds(
    [
      'apiVersion: v1\nkind: Service\nmetadata: {name: a}',
      'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: b}',
      'apiVersion: cert-manger.io/v1\nkind: Certificate\nmetadata: {name: c}',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}',
    ].join('\n---\n'),
  );
  expect(objectsIn<Rendered>(known).map(({ metadata }) => metadata.name)).toEqual(['a', 'd']);
  expect(unknown).toEqual(['Certificate c: nobody knows cert-manger.io/v1']);
});
