import { type DeliveryAttempt, type DetailedAttempt, toIso } from '@casewatch/contracts';
import { standardHeaders } from '../domain/standard-headers.ts';
import type { AttemptRow } from '../store/delivery-rows.ts';
import { attemptMessage } from './attempt-message.ts';

const shownBytes = 4 * 1_024;
const masked = '***';

export function presentAttempt(row: AttemptRow): DeliveryAttempt {
  const { at, status, ms, error, manual } = row;
  return { at: toIso(at), status, ms, error, message: attemptMessage(row), manual };
}

type Request = { eventId: string; ownHeaderNames: readonly string[] };

/** The request headers are computed again; attempts do not store them. */
export function presentDetailedAttempt(
  row: AttemptRow,
  { eventId, ownHeaderNames }: Request,
): DetailedAttempt {
  const own = Object.fromEntries(ownHeaderNames.map((name) => [name, masked]));
  return {
    ...presentAttempt(row),
    request_headers: { ...own, ...standardHeaders(eventId, row.at) },
    response: row.response === null ? null : headOf(row.response),
  };
}

/** A character that the limit cuts becomes U+FFFD, and is removed. */
function headOf(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= shownBytes) return text;
  return bytes
    .subarray(0, shownBytes)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
