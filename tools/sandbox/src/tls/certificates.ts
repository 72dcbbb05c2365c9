import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  cert: string;
  key: string;
}

/** `names` are DNS names (default: 127.0.0.1 and localhost); `until` is the end, ms since 1970 (default: in a day). */
export interface Issuing {
  names?: readonly string[];
  until?: number;
}

export interface Authority {
  ca: string;
  issue(commonName: string, issuing?: Issuing): Certificate;
}

/** Makes an authority (ECDSA P-256, X.509 v3, RFC 5280). Authorities that are trusted together need different names. */
export function makeAuthority(issuer = 'test authority'): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const make = (content: Pick<Content, 'subject' | 'publicKey' | 'extensions' | 'until'>) =>
    certificate({ ...content, issuer, signingKey: keys.privateKey });
  const tomorrow = Date.now() + 24 * hourMs;
  return {
    ca: make({ subject: issuer, publicKey: keys.publicKey, extensions: [isAuthority], until: tomorrow }),
    issue(subject, { names, until = tomorrow } = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const extensions = [alternativeNames(names?.map(dnsName) ?? loopback)];
      return {
        cert: make({ subject, publicKey, extensions, until }),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

interface Content {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  extensions: Buffer[];
  until: number;
  signingKey: KeyObject;
}

function certificate({ subject, issuer, publicKey, extensions, until, signingKey }: Content): string {
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))), // version 3
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // serial number, positive
    ecdsaWithSha256,
    name(issuer),
    sequence(time(Date.now() - 2 * hourMs), time(until)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', body, signingKey));
  const der = sequence(body, ecdsaWithSha256, signature);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const hourMs = 3_600_000;

/** One element of DER (X.690): tag, length, content. */
function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  // A length above 127 needs more bytes, after their count.
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return tagged(0x30, ...contents);
}

function name(commonName: string): Buffer {
  const id = tagged(0x06, Buffer.from([0x55, 0x04, 0x03])); // 2.5.4.3
  return sequence(tagged(0x31, sequence(id, tagged(0x0c, Buffer.from(commonName)))));
}

/** GeneralizedTime: 20261121193000Z. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(text));
}

/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = sequence(tagged(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])));

/** basicConstraints (2.5.29.19), critical: a certificate authority. */
const isAuthority = sequence(
  tagged(0x06, Buffer.from([0x55, 0x1d, 0x13])),
  tagged(0x01, Buffer.from([0xff])),
  tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))),
);

const dnsName = (name: string) => tagged(0x82, Buffer.from(name));
const loopback = [tagged(0x87, Buffer.from([127, 0, 0, 1])), dnsName('localhost')];

/** subjectAltName (2.5.29.17). */
function alternativeNames(names: Buffer[]): Buffer {
  const id = tagged(0x06, Buffer.from([0x55, 0x1d, 0x11]));
  return sequence(id, tagged(0x04, sequence(...names)));
}
