export interface Answer {
  status: number;
  body: string;
}

const DOCS = 'https://developer.uscis.gov/api/case-status';

export const unknownReceipt = flat(
  404,
  'Case Status Online does not recognize the receipt number entered. Please check your receipt number and try again.',
);

export const invalidToken = flat(401, 'Invalid Access Token');

export const malformedReceipt = list(
  422,
  'The application receipt number is not formatted correctly, or its prefix is not one of ours.',
);

export const spikeArrested = flat(429, 'Spike Arrest Violation');

export const quotaSpent = gatewayFault(
  429,
  'Rate limit quota violation. Quota limit exceeded.',
  'policies.ratelimit.QuotaViolation',
);

/** White space, a nested envelope and a code as string, as the real API answers. */
export const closed: Answer = {
  status: 503,
  body: `\n  ${JSON.stringify({ error: { code: '503', message: 'The Case Status API Sandbox is unavailable at this time. It is open M-F 7:00AM EST - 8:00 PM EST' } })}`,
};

type Code = (status: number) => string | number;

const ENVELOPES = [
  flat,
  list,
  (status: number, message: string, code: Code) => json(status, { error: { code: code(status), message } }),
  (status: number, message: string) => json(status, { error: message }),
  (status: number, message: string) => gatewayFault(status, message, `steps.service.Failure${status}`),
] as const;

const MESSAGES: Record<number, string> = {
  401: 'Invalid Access Token',
  404: 'Case Status Online does not recognize the receipt number entered.',
  422: 'The application receipt number is not formatted correctly.',
  429: 'Spike Arrest Violation',
  503: 'The service is temporarily unavailable.',
};

/** A refusal by a fault. Envelopes and types of codes alternate with `turn`; the message "" sends no body. */
export function refusal(status: number, turn: number, message?: string): Answer {
  if (message === '') return { status, body: '' };
  const envelope = ENVELOPES[turn % ENVELOPES.length] ?? flat;
  const asText = Math.floor(turn / ENVELOPES.length) % 2 === 1;
  const sentence = message ?? MESSAGES[status] ?? `The request failed with status ${status}.`;
  return envelope(status, sentence, asText ? String : Number);
}

/** The 404 of what stands before the API, which says nothing about the receipt: Apigee, AWS API Gateway, Spring. */
export function gatewayNotFound(turn: number, receipt: string): Answer {
  const path = `/case-status/${receipt}`;
  const bodies = [
    {
      fault: {
        faultstring: `Unable to identify proxy for host: default and url: ${path}`,
        detail: { errorcode: 'messaging.adaptors.http.flow.ApplicationNotFound' },
      },
    },
    { message: 'Not Found' },
    { timestamp: '2026-11-21T10:00:00.000+00:00', status: 404, error: 'Not Found', path },
  ];
  return json(404, bodies[turn % bodies.length]);
}

function json(status: number, body: unknown): Answer {
  return { status, body: JSON.stringify(body) };
}

function flat(status: number, message: string, code: Code = Number): Answer {
  return json(status, { code: code(status), message });
}

function list(status: number, message: string, code: Code = String): Answer {
  return json(status, { errors: [{ code: code(status), message, category: 'REQUEST', reference: DOCS }] });
}

function gatewayFault(status: number, faultstring: string, errorcode: string): Answer {
  return json(status, { fault: { faultstring, detail: { errorcode } } });
}
