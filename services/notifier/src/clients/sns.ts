import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { ApiError, createHttpClient } from '@casewatch/platform';
import {
  certificatePath,
  confirmationPath,
  isInTime,
  type SnsMessage,
  type SnsSubscription,
  type SnsTopic,
  signedText,
} from '../domain/sns-message.ts';

/** Amazon SNS, for one topic. Its certificates come from Amazon's own host over TLS, which is why they are trusted. */
export type Sns = {
  /** Whether Amazon signed this message for our topic, and not too long before `now`. @throws ApiError service_unavailable without the certificate */
  isSigned(message: SnsMessage, now: Date): Promise<boolean>;
  /** Confirms the subscription of a signed message. @throws ApiError service_unavailable: SNS sends the message again */
  confirm(message: SnsSubscription): Promise<void>;
  /** Amazon SNS can be asked from here. @throws ApiError service_unavailable, with the cause */
  reach(): Promise<void>;
  stop(): void;
};

type Options = {
  topic: SnsTopic;
  /** Where SNS is; default: at Amazon. */
  address?: string | undefined;
  /** Of the connections; default: the system's. */
  lookup?: LookupFunction;
};

type Certificate = { key: KeyObject; from: number; to: number };

/** A gateway waits 2.5 s for the answer to a callback. */
const totalMs = 2_000;
const maxBytes = 64 * 1_024;
/** Amazon has one certificate for a region, and a new one before it ends. */
const maxKept = 8;
/** Strangers choose what is fetched, among Amazon's files: never many at once. */
const maxFetches = 4;

export function createSns({ topic, address = topic.origin, lookup }: Options): Sns {
  const client = createHttpClient(lookup && { lookup });
  const kept = new Map<string, Certificate>();
  const fetches = new Map<string, Promise<Certificate | null>>();

  async function get(path: string): Promise<{ status: number; body: Buffer }> {
    try {
      const answer = await client.exchange({
        url: new URL(`${address}${path}`),
        method: 'GET',
        headers: { accept: '*/*', 'accept-encoding': 'identity' },
        signal: AbortSignal.timeout(totalMs),
        connectMs: totalMs,
        readBytes: maxBytes,
      });
      if (!answer.isWhole) throw new Error('the answer has no end');
      return answer;
    } catch (cause) {
      throw new ApiError('service_unavailable', { detail: 'Amazon SNS does not answer', cause });
    }
  }

  /** Null: Amazon has no such certificate. */
  async function fetchCertificate(path: string): Promise<Certificate | null> {
    const { status, body } = await get(path);
    if (status >= 500) throw new ApiError('service_unavailable', { detail: `Amazon SNS answered ${status}` });
    const certificate = status === 200 ? readCertificate(body) : null;
    if (certificate) keep(path, certificate);
    return certificate;
  }

  function keep(path: string, certificate: Certificate): void {
    kept.set(path, certificate);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  }

  async function certificateAt(path: string): Promise<Certificate | null> {
    const known = kept.get(path);
    if (known) return known;
    const running = fetches.get(path);
    if (running !== undefined) return await running;
    if (fetches.size >= maxFetches)
      throw new ApiError('service_unavailable', { detail: 'too many certificates of SNS are asked for' });
    const fetched = fetchCertificate(path).finally(() => fetches.delete(path));
    fetches.set(path, fetched);
    return await fetched;
  }

  return {
    async isSigned(message, now) {
      if (message.TopicArn !== topic.arn || !isInTime(message, now)) return false;
      const path = certificatePath(message, topic);
      if (path === null) return false;
      const certificate = await certificateAt(path);
      if (certificate === null || now.getTime() < certificate.from || now.getTime() > certificate.to)
        return false;
      const hash = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
      return verify(
        hash,
        Buffer.from(signedText(message)),
        certificate.key,
        Buffer.from(message.Signature, 'base64'),
      );
    },
    async confirm(message) {
      const { status } = await get(confirmationPath(message, topic));
      if (status !== 200)
        throw new ApiError('service_unavailable', {
          detail: `the subscription was not confirmed: ${status}`,
        });
    },
    async reach() {
      await get('/');
    },
    stop: () => client.stop(),
  };
}

/** Null for what is no certificate of an RSA key. */
function readCertificate(body: Buffer): Certificate | null {
  try {
    const { publicKey: key, validFromDate, validToDate } = new X509Certificate(body);
    return key.asymmetricKeyType === 'rsa'
      ? { key, from: validFromDate.getTime(), to: validToDate.getTime() }
      : null;
  } catch {
    // Node throws for each text that cannot be read.
    return null;
  }
}
