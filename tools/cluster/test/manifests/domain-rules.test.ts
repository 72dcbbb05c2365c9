import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { checkDomain } from '../../src/manifests/domain-rules.ts';
import { DEPLOY } from '../../src/verify/settings.ts';

it('finds a selector that an upgrade could never change, and a pod that stops immediately', () => {
  const text = `
kind: Deployment
metadata: {name: extra}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: extra, app.kubernetes.io/version: "1"}}
  template:
    metadata: {labels: {app.kubernetes.io/name: extra}}
    spec:
      containers: [{name: extra}]
`;
  expect(checkDomain(text)).toEqual(
    expect.arrayContaining([
      'cases has no Deployment',
      'monitor has no PodDisruptionBudget',
      'Deployment extra selects by app.kubernetes.io/version',
      'pods of extra have no label app.kubernetes.io/part-of',
      'pods of extra have no label app.kubernetes.io/managed-by',
      'pods of extra mount a token',
      'extra has no readinessProbe',
      'extra does not wait before it stops',
    ]),
  );
});

it('finds logs that show tokens or addresses', () => {
  const ingress = (annotations: string) => `
kind: Ingress
metadata: {name: gateway, annotations: {${annotations}}}
`;
  const mongod = (flags: string) => `
kind: StatefulSet
metadata: {name: mongodb}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: mongodb}}
  template:
    metadata: {labels: {app.kubernetes.io/name: mongodb}}
    spec: {containers: [{name: mongod, command: [mongod, ${flags}]}]}
`;
  const logs = (text: string) => checkDomain(text).filter((fault) => /logs/.test(fault));
  expect(logs(ingress(''))).toEqual(['Ingress gateway logs tokens']);
  expect(logs(ingress('nginx.ingress.kubernetes.io/enable-access-log: "false"'))).toEqual([]);
  expect(logs(mongod('--slowms=100'))).toEqual(['mongodb logs the filters of slow operations']);
  expect(logs(mongod('--slowOpSampleRate=0'))).toEqual([]);
});

it('finds a load balancer that logs tokens', () => {
  const logs = (...objects: object[]) =>
    checkDomain(objects.map((each) => JSON.stringify(each)).join('\n---\n')).filter((fault) =>
      /logs/.test(fault),
    );
  const alb = (attributes: string) => ({
    kind: 'Ingress',
    metadata: {
      name: 'gateway',
      annotations: { 'alb.ingress.kubernetes.io/load-balancer-attributes': attributes },
    },
    spec: { ingressClassName: 'alb' },
  });
  expect(logs(alb('idle_timeout.timeout_seconds=60,access_logs.s3.enabled=true'))).toEqual([
    'Ingress gateway logs tokens',
  ]);
  expect(logs(alb('access_logs.s3.enabled=false'))).toEqual([]);
  const gateway = { kind: 'Gateway', metadata: { name: 'gateway' }, spec: { gatewayClassName: 'gke-l7-x' } };
  const policy = (enabled: boolean) => ({
    kind: 'GCPBackendPolicy',
    metadata: { name: 'gateway' },
    spec: { default: { logging: { enabled } } },
  });
  expect(logs(gateway)).toEqual(['Gateway gateway logs tokens']);
  expect(logs(gateway, policy(true))).toEqual(['Gateway gateway logs tokens']);
  expect(logs(gateway, policy(false))).toEqual([]);
});

it.each(['ingress/ingress.yaml', 'alb/ingress.yaml', 'mongodb/statefulset.yaml'])(
  'finds no such log in our own %s',
  (file) => {
    const text = readFileSync(join(DEPLOY, 'components', file), 'utf8');
    expect(checkDomain(text).filter((fault) => /logs/.test(fault))).toEqual([]);
  },
);

it('finds an object of the demonstration in the namespace of production, and the other way round', () => {
  const object = (kind: string, name: string, namespace: string, labels: string) =>
    `kind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}, labels: {${labels}}}`;
  const demo = 'app.kubernetes.io/instance: demo';
  const production = 'app.kubernetes.io/instance: production';
  const faultsOf = (...objects: string[]) =>
    checkDomain(objects.join('\n---\n')).filter((fault) => /namespace/i.test(fault));
  expect(
    faultsOf(
      object('Service', 'a', 'casewatch', demo),
      object('Service', 'b', 'casewatch-demo', production),
      object('Service', 'c', 'casewatch-demo', demo),
      object('Service', 'd', 'casewatch', production),
      object('Namespace', 'casewatch-demo', 'x', demo),
      object('Namespace', 'casewatch', 'x', `${production}, casewatch/demonstration: "yes"`),
    ),
  ).toEqual([
    'Service a is in the namespace casewatch',
    'Service b is in the namespace casewatch-demo',
    'Namespace casewatch-demo lacks the label casewatch/demonstration',
    'Namespace casewatch has the label casewatch/demonstration',
  ]);
});
