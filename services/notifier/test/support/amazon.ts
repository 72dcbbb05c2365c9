import { execFileSync } from 'node:child_process';
import { randomUUID, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const topic = 'arn:aws:sns:us-east-1:123456789012:casewatch-mail';
export const amazonsHost = 'sns.us-east-1.amazonaws.com';
export const certificateFile = '/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';

type Pair = { cert: string; key: string };

/** An authority of our own, and what it issued; made by openssl. A certificate is valid for a day. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'casewatch-authority-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    '/CN=authority of a test',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.crt'),
  );
  let count = 0;
  return {
    ca: readFileSync(at('ca.crt'), 'utf8'),
    issue(host: string): Pair {
      const name = `issued-${count++}`;
      const [crt, key] = [at(`${name}.crt`), at(`${name}.key`)];
      const issuer = ['-CA', at('ca.crt'), '-CAkey', at('ca.key')];
      openssl(
        'req',
        '-x509',
        ...issuer,
        ...newKey,
        '-days',
        '1',
        '-subj',
        `/CN=${host}`,
        '-addext',
        `subjectAltName=DNS:${host}`,
        '-addext',
        'basicConstraints=critical,CA:FALSE',
        '-keyout',
        key,
        '-out',
        crt,
      );
      return { cert: readFileSync(crt, 'utf8'), key: readFileSync(key, 'utf8') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A server that says it is Amazon's SNS, over TLS, with the calls that it got. */
export async function openAmazon(tls: Pair, files: Readonly<Record<string, string>>) {
  const calls: string[] = [];
  const faults: { status: number; location?: string }[] = [];
  const server = createServer(tls, (req, res) => {
    calls.push(req.url ?? '');
    const fault = faults.shift();
    if (fault) return res.writeHead(fault.status, fault.location ? { location: fault.location } : {}).end();
    const file = files[req.url ?? ''];
    if (req.url?.startsWith('/?Action=ConfirmSubscription&')) return res.writeHead(200).end('<ok/>');
    return file === undefined ? res.writeHead(404).end() : res.writeHead(200).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
  return {
    address: `https://${amazonsHost}:${port}`,
    port,
    lookup,
    calls,
    /** What the next calls get in place of the answer. */
    faults,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Fields = Record<string, string>;

const signedNames = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/** A message as SNS posts it. The signed text is made here from Amazon's documents, not by the code under test. */
export function snsMessage(key: string, over: Fields = {}): Fields {
  const isNotification = (over.Type ?? 'Notification') === 'Notification';
  const fields: Fields = {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topic,
    Message: '{}',
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: `https://${amazonsHost}${certificateFile}`,
    ...(!isNotification && {
      Token: 'a-token',
      SubscribeURL: `https://${amazonsHost}/?Action=ConfirmSubscription`,
    }),
    ...over,
  };
  const names = signedNames[fields.Type as keyof typeof signedNames];
  const text = names.flatMap((name) => (fields[name] === undefined ? [] : [name, fields[name]])).join('\n');
  const hash = fields.SignatureVersion === '1' ? 'sha1' : 'sha256';
  const Signature = sign(hash, Buffer.from(`${text}\n`), key).toString('base64');
  return { Signature, ...fields };
}
