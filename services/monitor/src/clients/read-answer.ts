import { hashesOf } from '../domain/case-content.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type CaseStatusBody, isNothing, parseCaseStatus } from '../domain/parse-case-status.ts';
import { plainText } from '../domain/plain-text.ts';
import { parseJson, readErrorEnvelope } from './error-envelope.ts';
import type { HttpAnswer } from './http-answer.ts';
import { salvageCaseStatus } from './salvage.ts';

export const anotherReceipt = 'another receipt';

/** A 404 or 422 needs the words of USCIS, else it is a failure of a proxy or a framework (upstream.md, "Everything else"). */
export function readAnswer(answer: HttpAnswer, receiptNumber: string): Outcome {
  const { status, body, retryAfterMs } = answer;
  if (status === 200) return readCase(answer, receiptNumber);
  const error = readErrorEnvelope(body);
  const message = error?.message ?? null;
  if (status === 401) return { outcome: 'unauthorised', message };
  if (status === 404 && error?.isAboutReceipt) {
    const { receiptNumbers: named } = error;
    if (named.length > 0 && !named.includes(receiptNumber))
      return { outcome: 'failed', reason: anotherReceipt };
    return { outcome: 'not_found', message };
  }
  if (status === 422 && error) return { outcome: 'rejected', message };
  const kind = /quota/i.test(body) && !/spike/i.test(body) ? 'quota' : 'spike';
  if (status === 429) return { outcome: 'rate_limited', kind, message, retryAfterMs };
  if (status === 503) return { outcome: 'closed', message, retryAfterMs };
  return { outcome: 'failed', reason: `status ${status}` };
}

function readCase({ contentType, body }: HttpAnswer, receiptNumber: string): Outcome {
  const start = body.trimStart();
  if (start === '') return { outcome: 'failed', reason: 'empty body' };
  if (contentType.includes('html') || start.startsWith('<')) return { outcome: 'failed', reason: 'HTML' };
  const json = parseJson(body);
  const served = json === undefined ? salvageCaseStatus(body) : caseStatusOf(json);
  if (!served) return { outcome: 'unreadable' };
  const { receiptNumber: named, ...status } = served;
  const isEmpty = Object.values(status).every((field) => isNothing(field));
  // The sandbox shows an unknown receipt with every field empty, its number too (upstream.md, 200).
  if (isEmpty && isNothing(named)) return { outcome: 'not_found', message: null };
  if (typeof named !== 'string') return { outcome: 'unreadable' };
  if (canonical(named) !== receiptNumber) return { outcome: 'failed', reason: anotherReceipt };
  if (isEmpty) return { outcome: 'not_found', message: null };
  const seen = parseCaseStatus(status);
  return seen ? { outcome: 'seen', seen, hashes: hashesOf(seen) } : { outcome: 'unreadable' };
}

/** `case_status`, without a field if it is null; null if the answer is of another kind. */
function caseStatusOf(json: unknown): CaseStatusBody | null {
  if (typeof json !== 'object' || json === null || !('case_status' in json)) return null;
  const { case_status: served } = json;
  if (served === null) return {};
  return typeof served === 'object' && !Array.isArray(served) ? served : null;
}

const canonical = (receiptNumber: string) =>
  (plainText(receiptNumber) ?? '').replace(/[\s-]/g, '').toUpperCase();
