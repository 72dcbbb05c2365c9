import { z } from 'zod';
import { hashesOf } from '../domain/case-content.ts';
import type { Outcome } from '../domain/outcome.ts';
import { caseStatusBody, parseCaseStatus } from '../domain/parse-case-status.ts';
import { parseJson, readErrorEnvelope } from './error-envelope.ts';
import type { HttpAnswer } from './http-answer.ts';
import { salvageCaseStatus } from './salvage.ts';

export const anotherReceipt = 'another receipt';

const served = z.object({ case_status: caseStatusBody });

/** A 404 or 422 needs the words of USCIS, else it is a failure of a proxy or a framework (upstream.md, "Everything else"). */
export function readAnswer(answer: HttpAnswer, receiptNumber: string): Outcome {
  const { status, body, retryAfterMs } = answer;
  if (status === 200) return readCase(answer, receiptNumber);
  const error = readErrorEnvelope(body);
  const message = error?.message ?? null;
  if (status === 401) return { outcome: 'unauthorised', message };
  if (status === 404 && /\breceipt\b/i.test(message ?? '')) return { outcome: 'not_found', message };
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
  const parsed = served.safeParse(json);
  const salvaged = json === undefined ? salvageCaseStatus(body) : null;
  const raw = parsed.success ? parsed.data.case_status : salvaged;
  if (!raw) return { outcome: 'unreadable' };
  if (raw.receiptNumber.trim().toUpperCase() !== receiptNumber)
    return { outcome: 'failed', reason: anotherReceipt };
  const seen = parseCaseStatus(raw);
  return seen ? { outcome: 'seen', seen, hashes: hashesOf(seen) } : { outcome: 'unreadable' };
}
