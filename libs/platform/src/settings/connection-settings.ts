import { z } from 'zod';
import { addressSetting, mongoFault, natsFault } from './addresses.ts';
import { addRules, asSecret, inProduction, type SettingTexts } from './setting-rules.ts';
import { weaknessOf } from './weak-secret.ts';

export type TlsFiles = { ca?: string; cert?: string; key?: string };

/** How to reach NATS, and as whom. `creds`: the text of a credentials file. */
export type NatsAccess = { url: string; tls?: TlsFiles } & (
  | { user: string; password: string }
  | { creds: string }
);

export const pem = z.string().regex(/^-----BEGIN [A-Z ]+-----/, 'must be PEM text');

export const transportSetting = z
  .enum(['tls', 'mesh'])
  .default('tls')
  .describe(
    'How connections to MongoDB, to NATS and from the gateway to the services are encrypted in production. `tls`: by the services; `mesh`: by a service mesh, so that addresses without TLS are accepted',
  );

// The two parts of a .creds file, in this order.
const credentials = /^-----BEGIN NATS USER JWT-----[\s\S]+-----BEGIN USER NKEY SEED-----[\s\S]+/;

/** Either a user with a password, or NATS_CREDS. */
function eitherOf<S extends z.ZodType>(schema: S): S {
  return addRules(schema, {
    check: (_text, all) =>
      all.NATS_CREDS === undefined ? undefined : 'is set beside NATS_CREDS: set only one of them',
    checkMissing: (all) => (all.NATS_CREDS === undefined ? 'is not set' : undefined),
  });
}

export const natsSettings = {
  NATS_URL: inProduction(addressSetting(natsFault), (text, all) =>
    isMesh(all) || text.split(',').every((url) => url.trim().startsWith('tls://') || isOnLoopback(url.trim()))
      ? undefined
      : `every address must begin with tls:// ${meshHint}`,
  ).describe(
    'Addresses of the NATS servers, separated by commas: nats://127.0.0.1:4222, or tls://… for encrypted connections',
  ),
  NATS_USER: eitherOf(z.string().min(1).optional()).describe(
    'NATS user of this service; required without NATS_CREDS',
  ),
  NATS_PASSWORD: eitherOf(asSecret(z.string().min(1)).optional()).describe(
    'NATS password of this service; required without NATS_CREDS',
  ),
  NATS_CREDS: asSecret(
    z.string().regex(credentials, 'must be a credentials file of NATS: a user JWT and its seed'),
    () => undefined,
  )
    .optional()
    .describe(
      'Credentials file of the NATS user of this service (.creds: a JWT and its seed), in place of NATS_USER and NATS_PASSWORD',
    ),
  NATS_TLS_CA: pem
    .optional()
    .describe('Certificate authority of the NATS servers (PEM). Default: the authorities of the system'),
  NATS_TLS_CERT: pem.optional().describe('Client certificate for NATS (PEM), if the servers require one'),
  NATS_TLS_KEY: asSecret(pem, () => undefined)
    .optional()
    .describe('Private key of the client certificate (PEM)'),
};

export const mongoSettings = {
  MONGODB_URL: asSecret(addressSetting(mongoFault), mongoFaultInProduction).describe(
    'Address of the database of this service, with its name, user and password; tls=true encrypts the connection. User and password are percent-encoded',
  ),
  MONGODB_TLS_CA: pem
    .optional()
    .describe('Certificate authority of the MongoDB servers (PEM). Default: the authorities of the system'),
  MONGODB_TLS_CERT: pem
    .optional()
    .describe('Client certificate for MongoDB (PEM), if the servers require one'),
  MONGODB_TLS_KEY: asSecret(pem, () => undefined)
    .optional()
    .describe('Private key of the client certificate (PEM)'),
};

type Settings<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;
type TlsSettings<S> = Partial<{ [K in Extract<keyof S, `${string}_TLS_${string}`>]: S[K] | undefined }>;
type NatsSettings = Settings<typeof natsSettings>;
export type MongoTlsSettings = TlsSettings<Settings<typeof mongoSettings>>;

type NatsAccessSettings = Pick<NatsSettings, 'NATS_URL'> &
  Partial<Pick<NatsSettings, 'NATS_USER' | 'NATS_PASSWORD' | 'NATS_CREDS'>> &
  TlsSettings<NatsSettings>;

export function natsAccess(settings: NatsAccessSettings): NatsAccess {
  const { NATS_URL: url, NATS_USER: user = '', NATS_PASSWORD: password = '', NATS_CREDS: creds } = settings;
  const { NATS_TLS_CA: ca, NATS_TLS_CERT: cert, NATS_TLS_KEY: key } = settings;
  const tls = withoutUndefined({ ca, cert, key });
  return creds === undefined ? { url, user, password, tls } : { url, creds, tls };
}

export function mongoTls(settings: MongoTlsSettings): TlsFiles {
  const { MONGODB_TLS_CA: ca, MONGODB_TLS_CERT: cert, MONGODB_TLS_KEY: key } = settings;
  return withoutUndefined({ ca, cert, key });
}

function withoutUndefined(files: Record<keyof TlsFiles, string | undefined>): TlsFiles {
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined));
}

export const meshHint = '(or TRANSPORT_SECURITY=mesh where a service mesh encrypts)';

export function isMesh(all: SettingTexts): boolean {
  return all.TRANSPORT_SECURITY === 'mesh';
}

/** 127.0.0.0/8 or ::1: what goes there never leaves the machine. Not `localhost`, which is what a resolver says. */
export function isLoopback(host: string): boolean {
  return /^127(?:\.\d{1,3}){3}$|^\[?::1\]?$/.test(host);
}

/** Whether every host of an address is on the loopback. */
export function isOnLoopback(address: string): boolean {
  const authority = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/?#]*)/.exec(address)?.[1] ?? '';
  return (
    !address.startsWith('mongodb+srv:') &&
    authority.split(',').every((place) => isLoopback(place.replace(/(?<=[\d\]]):\d+$/, '')))
  );
}

function mongoFaultInProduction(text: string, all: SettingTexts): string | undefined {
  // Like the driver: mongodb+srv is encrypted by default, and names of options ignore case.
  const [address = '', query = ''] = text.split('?', 2);
  const options = new Map([...new URLSearchParams(query)].map(([key, value]) => [key.toLowerCase(), value]));
  const tls = options.get('tls') ?? options.get('ssl') ?? String(address.startsWith('mongodb+srv://'));
  if (tls !== 'true' && !isMesh(all) && !isOnLoopback(address))
    return `must be encrypted: tls=true ${meshHint}`;
  const unchecked = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames'];
  if (unchecked.some((option) => options.get(option) === 'true'))
    return "must check the server's certificate";
  // mongodb://user:password@hosts; a certificate or a cloud identity needs no password
  const credentials = /^mongodb(?:\+srv)?:\/\/([^@/]*)@/.exec(address)?.[1];
  if (credentials === undefined) {
    return options.has('authmechanism') ? undefined : 'must name a user with a password';
  }
  const password = credentials.split(':')[1];
  // One that is not encoded is a fault of its own.
  if (password === undefined || mongoFault(text) !== undefined) return undefined;
  const weakness = weaknessOf(decodeURIComponent(password));
  return weakness && `its password ${weakness}`;
}
