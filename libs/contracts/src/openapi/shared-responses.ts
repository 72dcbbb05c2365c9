import { type ErrorCode, errorCatalogue, titleOf } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import { type HeaderName, headersWith } from './headers.ts';
import { recordedExamples } from './recorded-examples.ts';
import type { MediaType, Reference, ResponseObject } from './types.ts';

/** These sets of codes become one component each. */
const shared: readonly (readonly ErrorCode[])[] = [
  [
    'missing_credentials',
    'invalid_api_key',
    'api_key_expired',
    'api_key_revoked',
    'invalid_token',
    'token_expired',
    'token_revoked',
  ],
  ['insufficient_scope', 'ip_not_allowed', 'partner_suspended'],
  ['method_not_allowed'],
  ['not_acceptable'],
  ['request_timeout'],
  ['payload_too_large'],
  ['unsupported_media_type'],
  ['headers_too_large'],
  ['rate_limited'],
  ['internal_error'],
  ['service_unavailable'],
];

export function sharedResponses(): Record<string, ResponseObject> {
  return Object.fromEntries(
    shared.map((codes) => {
      const status = statusOf(codes);
      return [titleOf(status), problemResponse(status, codes)];
    }),
  );
}

export function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  name: OperationName,
): ResponseObject | Reference {
  const isShared = shared.some(
    (set) => set.length === codes.length && set.every((code) => codes.includes(code)),
  );
  return isShared
    ? { $ref: `#/components/responses/${titleOf(status)}` }
    : problemResponse(status, codes, name);
}

const headersOf: Record<number, HeaderName[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function problemResponse(status: number, codes: readonly ErrorCode[], name?: OperationName): ResponseObject {
  const recorded = name === undefined ? {} : (recordedExamples().operations[name]?.errors ?? {});
  const schema = { $ref: '#/components/schemas/Problem' };
  const content: MediaType = {
    schema,
    examples: Object.fromEntries(
      codes.map((code) => [
        code,
        recorded[code]
          ? { summary: errorCatalogue[code].message, value: recorded[code].body }
          : { $ref: `#/components/examples/${code}` },
      ]),
    ),
  };
  return {
    description: `${titleOf(status)}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headersWith(...(headersOf[status] ?? [])),
    // `Accept` can ask for the second (interface.md §2).
    content: { 'application/json': content, 'application/problem+json': { schema } },
  };
}

function statusOf([code]: readonly ErrorCode[]): number {
  if (code === undefined) throw new Error('a shared response has no code');
  return errorCatalogue[code].status;
}
