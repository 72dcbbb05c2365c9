import { newContext } from '@casewatch/platform';
import { Webhook } from 'standardwebhooks';

type Attempt = {
  eventId: string;
  body: string;
  at: Date;
  /** `whsec_…`; each of them signs. */
  secrets: readonly string[];
  /** Where the event came from; the attempt is a step of that trace. */
  traceparent: string;
  own: Readonly<Record<string, string>>;
};

/** Standard Webhooks headers of one attempt: the id stays, time and signature are its own. */
export function attemptHeaders({ eventId, body, at, secrets, traceparent, own }: Attempt) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, at, body));
  return {
    ...own,
    'content-type': 'application/json',
    'user-agent': 'Casewatch-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
    traceparent: newContext(undefined, traceparent).traceparent,
  };
}
