import { newContext } from '@casewatch/platform';
import { Webhook } from 'standardwebhooks';
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
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, at, body));
  return {
    ...ownHeaders,
    ...standardHeaders(eventId, at),
    'webhook-signature': signatures.join(' '),
    traceparent: newContext(undefined, traceparent).traceparent,
  };
}
