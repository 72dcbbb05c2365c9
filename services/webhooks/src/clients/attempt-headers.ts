import { createHmac } from 'node:crypto';
import { standardHeaders } from '../domain/standard-headers.ts';

type Attempt = {
  eventId: string;
  body: string;
  at: Date;
  /** `whsec_…`; each adds a signature. */
  secrets: readonly string[];
  traceparent: string;
  own: Readonly<Record<string, string>>;
};

/** Headers of Standard Webhooks. All attempts have the same id. */
export function attemptHeaders({ eventId, body, at, secrets, traceparent, own: ownHeaders }: Attempt) {
  const standard = standardHeaders(eventId, at);
  const signed = `${eventId}.${standard['webhook-timestamp']}.${body}`;
  const signatures = secrets.map((secret) => sign(secret, signed));
  return {
    ...ownHeaders,
    ...standard,
    'webhook-signature': signatures.join(' '),
    traceparent,
  };
}

const secretPrefix = 'whsec_';

/** Standard Webhooks, Signature scheme: the key is what follows the prefix, in base64. */
function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
