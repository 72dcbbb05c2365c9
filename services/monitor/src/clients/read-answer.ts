import { z } from 'zod';
import { caseStatusBody } from '../domain/case-status-body.ts';
import type { Outcome } from '../domain/outcome.ts';
import { parseJson, readErrorEnvelope } from './error-envelope.ts';
import { salvageCaseStatus } from './salvage.ts';

export type HttpAnswer = { status: number; contentType: string; body: string };

const served = z.object({ case_status: caseStatusBody });

/** A 404 or 422 needs an error of USCIS in its body: the page of a proxy is a failure (upstream.md, "Everything else"). */
export function readAnswer(answer: HttpAnswer): Outcome {
  const { status, body } = answer;
  if (status === 200) return readCase(answer);
  const error = readErrorEnvelope(body);
  if (status === 401) return { outcome: 'unauthorised' };
  if (status === 404 && error) return { outcome: 'not_found', message: error.message };
  if (status === 422 && error) return { outcome: 'rejected', message: error.message };
  if (status === 429) return { outcome: 'rate_limited', kind: namesQuota(body) ? 'quota' : 'spike' };
  if (status === 503) return { outcome: 'closed' };
  return { outcome: 'failed', reason: `status ${status}` };
}

function namesQuota(body: string): boolean {
  return /quota/i.test(body) && !/spike/i.test(body);
}

function readCase({ contentType, body }: HttpAnswer): Outcome {
  const start = body.trimStart();
  if (start === '') return { outcome: 'failed', reason: 'empty body' };
  if (contentType.includes('html') || start.startsWith('<')) return { outcome: 'failed', reason: 'HTML' };
  const json = parseJson(body);
  const parsed = served.safeParse(json);
  if (parsed.success) return { outcome: 'seen', raw: parsed.data.case_status };
  const raw = json === undefined ? salvageCaseStatus(body) : null;
  return raw ? { outcome: 'seen', raw } : { outcome: 'unreadable' };
}
