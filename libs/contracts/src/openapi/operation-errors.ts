import { type ErrorCode, errorCatalogue } from '../errors.ts';
import type { Operation } from '../operation.ts';

/** All error codes of an operation by status, ascending (interface.md §1, §4). */
export function errorsByStatus(row: Operation): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([...ofRequest(row), ...ofCaller(row), ...row.errors, ...commonErrors]);
  const byStatus = Map.groupBy(codes, (code): number => errorCatalogue[code].status);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

const commonErrors: readonly ErrorCode[] = [
  'method_not_allowed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

function ofRequest(row: Operation): ErrorCode[] {
  return [
    ...codesIf(row.success.body !== null && !row.anyBody && !row.file, 'not_acceptable'),
    ...codesIf(row.body !== undefined || row.anyBody === true, 'request_timeout', 'payload_too_large'),
    ...codesIf(row.body !== undefined, 'validation_failed', 'unsupported_media_type'),
    ...codesIf(
      row.body !== undefined && (row.consumes ?? ['application/json']).includes('application/json'),
      'malformed_json',
    ),
    ...codesIf(row.params !== undefined || row.query !== undefined, 'invalid_parameter'),
    ...codesIf(refusesUnknown(row), 'unknown_parameter'),
    ...codesIf(
      row.idempotent === true,
      'invalid_idempotency_key',
      'idempotency_in_progress',
      'idempotency_key_reused',
    ),
  ];
}

function ofCaller({ who, scope }: Operation): ErrorCode[] {
  const isOpen = who.includes('anonymous');
  const takesKeys = who.includes('partner');
  const takesTokens = who.includes('user');
  return [
    ...codesIf(takesKeys || takesTokens, 'invalid_api_key', 'api_key_expired', 'api_key_revoked'),
    ...codesIf(
      takesKeys || takesTokens,
      'invalid_token',
      'token_expired',
      'token_revoked',
      'conflicting_credentials',
    ),
    ...codesIf(!isOpen, 'missing_credentials'),
    ...codesIf(takesKeys, 'partner_suspended', 'ip_not_allowed'),
    ...codesIf(takesKeys && scope !== null, 'insufficient_scope'),
    ...codesIf(takesTokens, 'account_suspended'),
    ...codesIf(takesTokens && !takesKeys, 'partner_keys_not_accepted'),
  ];
}

/** A row without a query accepts no parameter; a strict object accepts only its own. */
function refusesUnknown({ query }: Operation): boolean {
  return query === undefined || query.def.catchall?._zod.def.type === 'never';
}

function codesIf(holds: boolean, ...codes: ErrorCode[]): ErrorCode[] {
  return holds ? codes : [];
}
