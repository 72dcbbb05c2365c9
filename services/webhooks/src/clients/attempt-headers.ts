import { createHmac, type KeyObject } from 'node:crypto';
import { standardHeaders } from '../domain/standard-headers.ts';

type Attempt = {
  eventId: string;
  body: string;
  at: Date;
  /** Each adds a signature. */
  keys: readonly KeyObject[];
  traceparent: string;
  own: Readonly<Record<string, string>>;
};

/** Headers of Standard Webhooks. All attempts have the same id. */
export function attemptHeaders({ eventId, body, at, keys, traceparent, own: ownHeaders }: Attempt) {
  const standard = standardHeaders(eventId, at);
  const signed = `${eventId}.${standard['webhook-timestamp']}.${body}`;
  const signatures = keys.map((key) => sign(key, signed));
  return {
    ...ownHeaders,
    ...standard,
    'webhook-signature': signatures.join(' '),
    traceparent,
  };
}

function sign(key: KeyObject, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
