import { STATUS_CODES } from 'node:http';

type FailedAttempt = {
  status: number | null;
  ms: number;
  error: string | null;
  location: string | null;
  cause?: string | null | undefined;
};

/** `cause` is the end of the sentence (clients/failure.ts). */
const sentences: Record<string, (attempt: FailedAttempt) => string> = {
  dns_error: ({ cause }) =>
    `DNS: ${cause ?? 'the host name has no address, or the name server did not answer'}.`,
  blocked_address: () => 'The host has an address that is not public, so no request was sent.',
  connect_refused: ({ cause }) => (cause ? `No connection: ${cause}.` : 'The host refused the connection.'),
  connect_timeout: ({ ms, cause }) => `No connection in ${thousands(ms)} ms${cause ? `: ${cause}` : ''}.`,
  tls_error: ({ cause }) => `TLS: ${cause ?? 'the handshake failed'}.`,
  reset: ({ cause }) => `The connection was closed ${cause ?? 'before the response'}.`,
  timeout: ({ ms, cause }) => `No answer in ${thousands(ms)} ms${cause ? `: ${cause}` : ''}.`,
  response_malformed: ({ cause }) => `The response is not valid HTTP${cause ? `: ${cause}` : ''}.`,
  redirect_not_followed: ({ status, location }) =>
    location === null
      ? `Redirect (${status}) without a Location.`
      : `Redirect to ${location} was not followed.`,
};

/** A sentence that names the cause of a failure, for the error names of webhooks.md, Delivery. Null for a success. */
export function attemptMessage(attempt: FailedAttempt): string | null {
  const { error, status } = attempt;
  if (error === null) return null;
  const sentence = sentences[error];
  if (sentence) return sentence(attempt);
  return `The endpoint answered ${status} ${STATUS_CODES[status ?? 0] ?? ''}`.trimEnd().concat('.');
}

function thousands(ms: number): string {
  return ms.toLocaleString('en-US');
}
