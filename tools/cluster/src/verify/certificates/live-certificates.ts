import { X509Certificate } from 'node:crypto';
import { entriesOf, secretName } from '../../kit/entries.ts';
import { exec, podsOf } from '../../kit/kubectl.ts';
import { refreshSecrets } from '../../kit/rollouts.ts';
import { until } from '../../kit/wait.ts';
import type { Certificates, Pem } from './make-certificates.ts';

/** The Secret that a deployment has mounted at /run/secrets/tls. @throws Error if components/tls is not in the overlay */
async function tlsSecretOf(deployment: string) {
  const path = '{.spec.template.spec.volumes[?(@.name=="tls")].secret.secretName}';
  return entriesOf(await secretName('deployment', deployment, path));
}

export async function readCertificates(services: readonly string[]): Promise<Certificates> {
  const certificates: Record<string, Pem> = {};
  for (const name of services) certificates[name] = await (await tlsSecretOf(name)).read();
  return { authority: await (await tlsSecretOf('gateway')).read(), services: certificates };
}

export async function trustAuthorities(...authorities: Pem[]): Promise<void> {
  const bundle = authorities.map((authority) => authority['ca.crt'] ?? '').join('');
  await (await tlsSecretOf('gateway')).write({ 'ca.crt': bundle });
}

/** Gives a service a new certificate, and waits until each of its pods shows it without a restart. */
export async function replaceCertificate(service: string, certificate: Pem): Promise<void> {
  const podNames = async () => (await podsOf(service)).map(({ metadata }) => metadata.name).toSorted();
  const before = await podNames();
  await (await tlsSecretOf(service)).write({ ...certificate });
  await refreshSecrets(service);
  const { fingerprint256 } = new X509Certificate(certificate['tls.crt'] ?? '');
  for (const pod of before)
    await until(async () => (await fingerprintOf(pod, service)) === fingerprint256, {
      what: `the new certificate of ${pod}`,
      timeoutMs: 300_000,
      intervalMs: 3_000,
    });
  if (before.join() !== (await podNames()).join())
    throw new Error(`pods of ${service} were replaced meanwhile`);
}

const program = `
const socket = require('node:tls').connect({ port: 8080, rejectUnauthorized: false }, () => {
  console.log(socket.getPeerX509Certificate().fingerprint256);
  socket.destroy();
});
`;

/** The fingerprint of the certificate that a pod shows. @throws Error if it shows none */
async function fingerprintOf(pod: string, container: string): Promise<string> {
  const { code, stdout, stderr } = await exec(pod, container, ['node', '--eval', program]);
  if (code !== 0) throw new Error(stderr.slice(0, 200));
  return stdout.trim();
}
