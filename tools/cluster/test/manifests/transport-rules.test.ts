import { expect, it } from '@jest/globals';
import { checkTransport } from '../../src/manifests/transport-rules.ts';

const object = (kind: string, name: string, more: object) =>
  JSON.stringify({ kind, metadata: { name }, ...more });
const settings = (service: string, data: object) =>
  object('ConfigMap', `${service}-settings-abc123`, { data });
const deployment = (service: string, scheme: string) => {
  const probe = { httpGet: { scheme } };
  const container = { readinessProbe: probe, livenessProbe: probe, startupProbe: probe };
  return object('Deployment', service, { spec: { template: { spec: { containers: [container] } } } });
};

const services = ['identity', 'cases', 'webhooks', 'notifier'];
const addresses = (scheme: string) =>
  Object.fromEntries(services.map((name) => [`${name.toUpperCase()}_URL`, `${scheme}://${name}`]));
const over = (scheme: string, more: object, own: object) =>
  [
    settings('gateway', { ...addresses(scheme), ...more }),
    ...services.flatMap((name) => [settings(name, own), deployment(name, scheme.toUpperCase())]),
  ].join('\n---\n');

it('finds services that the gateway reaches in clear, unless a service mesh encrypts', () => {
  const faults = checkTransport(over('http', {}, {}));
  for (const service of services)
    expect(faults).toEqual(
      expect.arrayContaining([
        `the gateway reaches ${service} in clear`,
        `${service} has no TLS_CERT_FILE`,
        `${service} is probed in clear, but answers over TLS only`,
      ]),
    );
  expect(faults).toHaveLength(12);
  expect(checkTransport(over('http', { TRANSPORT_SECURITY: 'mesh' }, {}))).toEqual([]);
  expect(checkTransport(over('https', {}, { TLS_CERT_FILE: '/run/secrets/tls/tls.crt' }))).toEqual([]);
});
