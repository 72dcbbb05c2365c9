import { newContext } from '@casewatch/platform';
import { Webhook } from 'standardwebhooks';

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
    'content-type': 'application/json',
    'user-agent': 'Casewatch-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
    traceparent: newContext(undefined, traceparent).traceparent,
  };
}
