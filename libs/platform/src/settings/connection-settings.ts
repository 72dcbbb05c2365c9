import { z } from 'zod';
import { asSecret, inProduction, type SettingTexts } from './setting-rules.ts';
import { weaknessOf } from './weak-secret.ts';

/** A certificate authority, a client certificate and its key, as PEM text. */
export type TlsFiles = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined };

/** One or several certificates, or a key. */
export const pem = z.string().regex(/^-----BEGIN [A-Z ]+-----/, 'must be PEM text');

/** Who encrypts the connections between the parts of the system in production. */
export const transportSetting = z
  .enum(['tls', 'mesh'])
  .default('tls')
  .describe(
    'What encrypts connections to MongoDB, to NATS and from the gateway to the services in production: `tls`: the service itself; `mesh`: a service mesh, and unencrypted addresses are accepted',
  );

/** Settings of the connection to NATS. */
export const natsSettings = {
  NATS_URL: inProduction(z.string().min(1), (text, all) =>
    isMesh(all) || text.split(',').every((url) => url.trim().startsWith('tls://'))
      ? undefined
      : `every address must begin with tls:// ${meshHint}`,
  ).describe(
    'Addresses of the NATS servers, separated by commas: nats://127.0.0.1:4222, or tls://… for encrypted connections',
  ),
  NATS_USER: z.string().min(1).describe('NATS user of this service'),
  NATS_PASSWORD: asSecret(z.string().min(1)).describe('NATS password of this service'),
  NATS_TLS_CA: pem
    .optional()
    .describe('Certificate authority of the NATS servers (PEM); default: those of the system'),
  NATS_TLS_CERT: pem.optional().describe('Client certificate for NATS (PEM), if the servers require one'),
  NATS_TLS_KEY: asSecret(pem, () => undefined)
    .optional()
    .describe('Private key of the client certificate (PEM)'),
};

/** Settings of the connection to MongoDB. */
export const mongoSettings = {
  MONGODB_URL: asSecret(
    z.string().regex(/^mongodb(\+srv)?:\/\//, 'must be a mongodb:// address'),
    mongoFault,
  ).describe(
    'Address of the database of this service, with user and password; tls=true encrypts the connection',
  ),
  MONGODB_TLS_CA: pem
    .optional()
    .describe('Certificate authority of the MongoDB servers (PEM); default: those of the system'),
  MONGODB_TLS_CERT: pem
    .optional()
    .describe('Client certificate for MongoDB (PEM), if the servers require one'),
  MONGODB_TLS_KEY: asSecret(pem, () => undefined)
    .optional()
    .describe('Private key of the client certificate (PEM)'),
};

type NatsTls = {
  NATS_TLS_CA?: string | undefined;
  NATS_TLS_CERT?: string | undefined;
  NATS_TLS_KEY?: string | undefined;
};
type MongoTls = {
  MONGODB_TLS_CA?: string | undefined;
  MONGODB_TLS_CERT?: string | undefined;
  MONGODB_TLS_KEY?: string | undefined;
};

export function natsTls({ NATS_TLS_CA: ca, NATS_TLS_CERT: cert, NATS_TLS_KEY: key }: NatsTls): TlsFiles {
  return { ca, cert, key };
}

export function mongoTls({
  MONGODB_TLS_CA: ca,
  MONGODB_TLS_CERT: cert,
  MONGODB_TLS_KEY: key,
}: MongoTls): TlsFiles {
  return { ca, cert, key };
}

/**
 * NATS' client takes tls:// for a mere prefix and would go on in clear if the server offered no TLS: these options make it
 * a demand.
 */
export function natsTlsOptions(
  servers: readonly string[],
  { ca, cert, key }: TlsFiles,
): { tls?: { ca?: string; cert?: string; key?: string } } {
  const isWanted = ca !== undefined || servers.some((server) => server.trim().startsWith('tls://'));
  if (!isWanted) return {};
  const given = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }) };
  return { tls: { ...given, ...(key !== undefined && { key }) } };
}

/** What stands behind a sentence that demands TLS. */
export const meshHint = '(or TRANSPORT_SECURITY=mesh where a service mesh encrypts)';

/** Whether a service mesh is said to encrypt. */
export function isMesh(all: SettingTexts): boolean {
  return all.TRANSPORT_SECURITY === 'mesh';
}

function mongoFault(text: string, all: SettingTexts): string | undefined {
  // The driver's own rules: mongodb+srv is encrypted unless told otherwise; names of options ignore case.
  const [address = '', query = ''] = text.split('?', 2);
  const options = new Map([...new URLSearchParams(query)].map(([key, value]) => [key.toLowerCase(), value]));
  const wanted = options.get('tls') ?? options.get('ssl') ?? String(address.startsWith('mongodb+srv://'));
  if (wanted !== 'true' && !isMesh(all)) return `must be encrypted: tls=true ${meshHint}`;
  const unchecked = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames'];
  if (unchecked.some((option) => options.get(option) === 'true'))
    return "must check the server's certificate";
  // mongodb://user:password@hosts; a certificate or a cloud's identity needs no password.
  const credentials = /^mongodb(?:\+srv)?:\/\/([^@/]*)@/.exec(address)?.[1];
  if (credentials === undefined) {
    return options.has('authmechanism') ? undefined : 'must name a user with a password';
  }
  const password = credentials.split(':')[1];
  return password === undefined ? undefined : passwordFault(password);
}

function passwordFault(password: string): string | undefined {
  const weakness = URL.canParse(`http://x:${password}@y`)
    ? weaknessOf(decodeURIComponent(password))
    : undefined;
  return weakness && `its password ${weakness}`;
}
