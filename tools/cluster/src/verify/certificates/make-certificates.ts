import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOrThrow } from '../../kit/run.ts';

export type Pem = Readonly<Record<string, string>>;
/** The authority's certificate (`ca.crt`), and for each service its certificate and key (`tls.crt`, `tls.key`). */
export type Certificates = { authority: Pem; services: Readonly<Record<string, Pem>> };

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '90'];

/** A new authority and certificates for services, by openssl as in docs/operations.md. */
export async function makeCertificates(services: readonly string[]): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-certificates-'));
  const at = (name: string) => join(folder, name);
  const authority = ['-x509', ...newKey, '-subj', `/CN=casewatch services ${Date.now()}`];
  const issued = ['-x509', '-CA', at('ca.crt'), '-CAkey', at('ca.key'), ...newKey];
  const text = (name: string) => readFile(at(name), 'utf8');
  try {
    await runOrThrow('openssl', ['req', ...authority, '-keyout', at('ca.key'), '-out', at('ca.crt')]);
    const certificates: Record<string, Pem> = {};
    for (const name of services) {
      const [crt, key] = [`${name}.crt`, `${name}.key`];
      const own = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
      const kind = ['basicConstraints=critical,CA:FALSE', 'extendedKeyUsage=serverAuth'].flatMap((value) => [
        '-addext',
        value,
      ]);
      await runOrThrow('openssl', ['req', ...issued, ...own, ...kind, '-keyout', at(key), '-out', at(crt)]);
      certificates[name] = { 'tls.crt': await text(crt), 'tls.key': await text(key) };
    }
    return { authority: { 'ca.crt': await text('ca.crt') }, services: certificates };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
