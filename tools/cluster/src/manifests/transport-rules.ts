import { objectsIn } from '../kit/objects.ts';

type Probe = { httpGet?: { scheme?: string } };
type Container = { readinessProbe?: Probe; livenessProbe?: Probe; startupProbe?: Probe };
type Stored = {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[] } } };
};

const called = ['identity', 'cases', 'webhooks', 'notifier'];

/** The gateway must reach the services over TLS, unless a mesh encrypts. @returns findings */
export function checkTransport(text: string): string[] {
  const objects = objectsIn<Stored>(text);
  // The name of a generated ConfigMap ends with a hash.
  const settingsOf = (service: string) =>
    objects.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(`${service}-settings`),
    )?.data ?? {};
  const containerOf = (service: string) =>
    objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service)?.spec?.template
      ?.spec.containers[0] ?? {};
  const gateway = settingsOf('gateway');
  if (gateway.TRANSPORT_SECURITY === 'mesh') return [];
  return called.flatMap((service) => {
    const faults: string[] = [];
    if (!gateway[`${service.toUpperCase()}_URL`]?.startsWith('https://'))
      faults.push(`the gateway reaches ${service} in clear`);
    if (!settingsOf(service).TLS_CERT_FILE) faults.push(`${service} has no TLS_CERT_FILE`);
    const { readinessProbe, livenessProbe, startupProbe } = containerOf(service);
    const probes = [readinessProbe, livenessProbe, startupProbe];
    if (probes.some((probe) => probe?.httpGet?.scheme !== 'HTTPS'))
      faults.push(`${service} is probed in clear, but answers over TLS only`);
    return faults;
  });
}
