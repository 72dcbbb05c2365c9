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
  /** For the caller; default: the sentence of the catalogue. */
  message?: string;
  detail?: string;
  /** The caller, if the request has no principal; for the log only. */
  callerIds?: CallerIds;
  faults?: Fault[];
  /** Seconds before a retry makes sense (429, 503, 409 in progress). */
  retryAfterS?: number;
  headers?: Record<string, string>;
  extra?: Pick<Problem, 'users'>;
  cause?: unknown;
};

/** An error of the catalogue. The message is for the caller; `detail` and `cause` are for the log only. */
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

/** An event or a stored row breaks its schema or an invariant. A retry cannot help. */
export class PoisonError extends Error {
  override readonly name = 'PoisonError';
}

/** Another service, the database or the bus is not available. A later retry helps. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
}

/** The object of an event does not exist here yet. Redelivered, and a dead letter after an hour. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError';
}

export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError';
}

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
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoStalePrimaryError',
  // The driver gives up a member that stands still, with the commands that wait for it.
  'PoolClearedOnNetworkError',
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

/**
 * Codes of mongod that a later retry may not meet again (mongo, error_codes.yml): the categories RetriableError,
 * NotPrimaryError, Interruption, SnapshotError and SystemOverloadedError, ended transactions, time-outs, the replacement of
 * our user, and a full disk. MongoDB adds labels to some of them, but a bulk write loses the labels.
 */
const transientCodes = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized
  18, // AuthenticationFailed
  24, // LockTimeout
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  216, // ElectionInProgress
  217, // IncompleteTransactionHistory: a new primary does not know what a repeated write did
  225, // TransactionTooOld
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  250, // StaleChunkHistory
  251, // NoSuchTransaction
  256, // TransactionCommitted: a retry finds the effect
  262, // ExceededTimeLimit
  267, // PreparedTransactionInProgress
  272, // MigrationConflict
  279, // ClientDisconnect
  281, // TransactionCoordinatorSteppingDown
  282, // TransactionCoordinatorReachedAbortDecision
  290, // TransactionExceededLifetimeLimitSeconds
  317, // ConnectionPoolExpired
  355, // InterruptedDueToStorageChange
  356, // TxnRetryCounterTooOld
  358, // InternalTransactionNotSupported
  363, // RetryableTransactionInProgress
  365, // TemporarilyUnavailable
  384, // ConnectionError
  402, // ResourceExhausted
  406, // MigrationBlockingOperationCoordinatorCleaningUp
  407, // PooledConnectionAcquisitionExceededTimeLimit
  412, // UpdatesStillPending
  433, // AdmissionQueueOverflow
  449, // RateLimitExceeded
  9_001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
]);

const transientLabels = [
  'TransientTransactionError',
  'RetryableWriteError',
  'RetryableError',
  'SystemOverloadedError',
  'PoolRequestedRetry',
  // Perhaps committed: a retry finds the effect by its Idempotency-Key or ids.
  'UnknownTransactionCommitResult',
];

export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 503 || error.status === 429;
  if (!(error instanceof Error)) return false;
  if (transientNames.has(error.name)) return true;
  if (error.name.startsWith('Mongo') && 'code' in error && transientCodes.has(error.code)) return true;
  if ('errorResponse' in error && error.errorResponse instanceof Error)
    return isTransient(error.errorResponse);
  return transientLabels.some((label) => hasLabel(error, label));
}

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
