import type { ErrorCode } from '@casewatch/contracts';
import type { Request, Response } from 'express';
import { ApiError, toApiError, toProblem } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import { idsOf, logSecurity } from '../telemetry/security-log.ts';
import { faultPage } from './pages/fault-page.ts';
import { bodyTooLarge } from './request-body.ts';
import { localsOf, sendText } from './response.ts';

/** Error types of body-parser (its README, "Errors"). */
const parserErrors: Record<string, 'malformed_json' | 'payload_too_large' | 'unsupported_media_type'> = {
  'entity.parse.failed': 'malformed_json',
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
  'request.size.invalid': 'malformed_json',
  'request.aborted': 'malformed_json',
  'charset.invalid': 'malformed_json',
};

function fromParser(error: unknown): ApiError {
  const type = error instanceof Error && 'type' in error ? parserErrors[String(error.type)] : undefined;
  if (type === 'payload_too_large' && error instanceof Error && 'limit' in error)
    return bodyTooLarge(Number(error.limit));
  const code = type ?? codeOfStatus(error);
  if (code) return new ApiError(code, { detail: 'refused by the body parser' });
  if (error instanceof URIError)
    return new ApiError('invalid_parameter', { message: 'The path is not valid.' });
  return toApiError(error);
}

/** Errors of Express and its parsers have the status of their answer. One of the caller never becomes ours. */
function codeOfStatus(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof URIError) return undefined;
  if (!('status' in error && typeof error.status === 'number')) return undefined;
  const { status } = error;
  if (status === 413) return 'payload_too_large';
  if (status === 415) return 'unsupported_media_type';
  return status >= 400 && status < 500 ? 'validation_failed' : undefined;
}

function logRefusal(log: Logger, error: ApiError, res: Pick<Response, 'locals'>): void {
  if (error.status !== 401 && error.status !== 403 && error.status !== 429) return;
  logSecurity(log, {
    event: 'access',
    outcome: error.status === 429 ? 'limited' : 'refused',
    problem: error.code,
    operation: res.locals.operation,
    ...idsOf(res.locals.principal),
    ...error.options.callerIds,
  });
}

/** Logs a failure; internal details go to the log only. @returns the error for the caller */
export function logFailure(log: Logger, thrown: unknown, res: Pick<Response, 'locals'>): ApiError {
  const error = fromParser(thrown);
  const record = {
    problem: error.code,
    status: error.status,
    detail: error.options.detail,
    err: error.status >= 500 ? (error.cause ?? thrown) : undefined,
  };
  if (error.status >= 500) log[error.status === 500 ? 'error' : 'warn'](record, 'request failed');
  else log.debug(record, 'request refused');
  logRefusal(log, error, res);
  return error;
}

/** Turns a failure into the response: JSON, or a page for a browser that came by a link in a mail. */
export function sendError(log: Logger, thrown: unknown, req: Request, res: Response): void {
  const error = logFailure(log, thrown, res);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { retryAfterS, status, options } = error;
  res.status(status);
  if (retryAfterS !== undefined) res.set('retry-after', retryAfterHeader(retryAfterS));
  if (status === 401) res.set('www-authenticate', 'Bearer realm="casewatch"');
  res.set(options.headers ?? {});
  const { request_id } = localsOf(res).context;
  const page = faultPage(error, req, request_id);
  if (page) {
    // The policy of the page replaces that of all responses.
    res.set(page.headers).set('content-type', 'text/html; charset=utf-8');
    sendText(res, page.page);
    return;
  }
  const isProblemJson = req.headers.accept?.includes('application/problem+json');
  res.set('content-type', `application/${isProblemJson ? 'problem+json' : 'json'}; charset=utf-8`);
  sendText(res, JSON.stringify(toProblem(error, request_id)));
}

/** At least one second, because a program may repeat immediately after 0. */
export function retryAfterHeader(seconds: number): string {
  return String(Math.max(1, Math.ceil(seconds)));
}
