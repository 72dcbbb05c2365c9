import {
  type ErrorCode,
  errorCatalogue,
  type Fault,
  isRetryable,
  type Problem,
  titleOf,
} from '@casewatch/contracts';

import type { CallerIds } from './telemetry/security-log.ts';

type Options = {
  /** The sentence for the caller; the catalogue's where it is left out. */
  message?: string;
  /** What happened, for the log alone. */
  detail?: string;
  /** Whom the refusal concerns, where the caller has no principal; for the log alone. */
  who?: CallerIds;
  faults?: Fault[];
  /** Seconds until it is worth trying again (429, 503, 409 in progress). */
  retryAfterS?: number;
  headers?: Record<string, string>;
  /** Further members of the problem (RFC 9457 §3.2). */
  extra?: Pick<Problem, 'users'>;
  cause?: unknown;
};

/** An error of the catalogue. Its message is for the caller; `detail` and `cause` are for the log alone. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: Options;

  constructor(code: ErrorCode, options: Options = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.options = options;
  }

  get retryAfterS(): number | undefined {
    return this.options.retryAfterS ?? (this.status === 503 ? 5 : undefined);
  }
}

/** An event or a stored row breaks its schema or an invariant: trying again cannot help. */
export class PoisonError extends Error {
  override readonly name = 'PoisonError';
}

/** A dependency is away: another service, the database or the bus. Trying again later helps. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
}

/** An event is about an object that is not known here yet. The event comes again, and ends as a dead letter after an hour. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError';
}

/** A request that another replica answers: this one says nothing. */
export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError';
}

/**
 * The one error shape (interface.md §2). `type` is relative to the address that was asked (RFC 9457 §3.1.1): the gateway
 * has a page there, whatever its public name is.
 */
export function toProblem(error: ApiError, requestId: string): Problem {
  return {
    success: false,
    message: error.message,
    code: error.code,
    status: error.status,
    title: titleOf(error.status),
    type: `/problems/${error.code}`,
    detail: error.message,
    instance: `urn:request:${requestId}`,
    request_id: requestId,
    retryable: isRetryable(error.code),
    errors: error.options.faults ?? [],
    ...error.options.extra,
  };
}

const transientNames = new Set([
  'RetryLaterError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError',
  'MongoWriteConcernError',
  'MongoClientClosedError',
  'NoRespondersError',
  'TimeoutError',
  'RequestError',
  'ConnectionError',
  'ClosedConnectionError',
  'DrainingConnectionError',
]);

/** mongod's codes for what passes: its state changes, time is over, or our user is being replaced (mongo, error_codes.yml). */
const transientCodes = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized
  18, // AuthenticationFailed
  24, // LockTimeout
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  134, // ReadConcernMajorityNotAvailableYet
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

const transientLabels = [
  'TransientTransactionError',
  'RetryableWriteError',
  // Perhaps committed: what is tried again finds its effect, by its Idempotency-Key or its ids.
  'UnknownTransactionCommitResult',
];

/** Whether a failure comes of something that is away, so that trying again later may help. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 503 || error.status === 429;
  if (!(error instanceof Error)) return false;
  if (transientNames.has(error.name)) return true;
  if (error.name.startsWith('Mongo') && 'code' in error && transientCodes.has(error.code)) return true;
  // A bulk write (insertMany) wraps what happened to it.
  if ('errorResponse' in error && error.errorResponse instanceof Error)
    return isTransient(error.errorResponse);
  return transientLabels.some((label) => hasLabel(error, label));
}

/** Any failure as one of the catalogue: what is away is 503, everything else that is not ours to explain is 500. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const code = isTransient(error) ? 'service_unavailable' : 'internal_error';
  return new ApiError(code, { cause: error, detail: error instanceof Error ? error.message : String(error) });
}

function hasLabel(error: Error, label: string): boolean {
  return (
    'hasErrorLabel' in error &&
    typeof error.hasErrorLabel === 'function' &&
    error.hasErrorLabel(label) === true
  );
}
