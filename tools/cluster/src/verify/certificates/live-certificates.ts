import { X509Certificate } from 'node:crypto';
import { exec, kubectl, podsOf } from '../kubectl.ts';
import { entriesOf } from '../rotations/objects.ts';
import { until } from '../wait.ts';
import type { Certificates, Pem } from './make-certificates.ts';

/** The Secret that a deployment has mounted at /run/secrets/tls. */
async function secretOf(deployment: string) {
  const path = '{.spec.template.spec.volumes[?(@.name=="tls")].secret.secretName}';
  const name = await kubectl(['get', 'deployment', deployment, '--output', `jsonpath=${path}`]);
  if (name === '') throw new Error(`${deployment} has no certificate: components/tls is not in the overlay`);
  return entriesOf(`secret/${name}`);
}

/** What the gateway trusts and the services show now. */
export async function readCertificates(services: readonly string[]): Promise<Certificates> {
  const shown: Record<string, Pem> = {};
  for (const name of services) shown[name] = await (await secretOf(name)).read();
  return { authority: await (await secretOf('gateway')).read(), services: shown };
}

/** The authorities that the gateway trusts from its next start on. */
export async function trust(...authorities: Pem[]): Promise<void> {
  const bundle = authorities.map((authority) => authority['ca.crt'] ?? '').join('');
  await (await secretOf('gateway')).write({ 'ca.crt': bundle });
}

/** Gives a service a new certificate, and waits until every one of its pods shows it, none restarted. */
export async function show(service: string, certificate: Pem): Promise<void> {
  const before = await namesOf(service);
  await (await secretOf(service)).write({ ...certificate });
  // A pod whose object changes has its Secrets read anew at once, instead of within a minute or two.
  const mark = `casewatch/certificate-changed=${Date.now()}`;
  await kubectl(['annotate', 'pods', `--selector=app.kubernetes.io/name=${service}`, '--overwrite', mark]);
  const { fingerprint256 } = new X509Certificate(certificate['tls.crt'] ?? '');
  for (const pod of before)
    await until(async () => (await shownBy(pod, service)) === fingerprint256, {
      what: `the new certificate of ${pod}`,
      timeoutMs: 300_000,
      intervalMs: 3_000,
    });
  const after = await namesOf(service);
  if (before.join() !== after.join()) throw new Error(`pods of ${service} were replaced meanwhile`);
}

async function namesOf(service: string): Promise<string[]> {
  return (await podsOf(service)).map(({ metadata }) => metadata.name).toSorted();
}

const program = `
const socket = require('node:tls').connect({ port: 8080, rejectUnauthorized: false }, () => {
  console.log(socket.getPeerX509Certificate().fingerprint256);
  socket.destroy();
});
`;

/** The fingerprint of the certificate that a pod shows. @throws Error where it shows none */
async function shownBy(pod: string, container: string): Promise<string> {
  const { code, stdout, stderr } = await exec(pod, container, ['node', '--eval', program]);
  if (code !== 0) throw new Error(stderr.slice(0, 200));
  return stdout.trim();
}
