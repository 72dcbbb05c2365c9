import { type CaseStatusBody, caseStatusBody } from '../domain/case-status-body.ts';
import { parseJson } from './error-envelope.ts';

const texts = [
  'receiptNumber',
  'formType',
  'submittedDate',
  'modifiedDate',
  'current_case_status_text_en',
  'current_case_status_text_es',
  'current_case_status_desc_en',
  'current_case_status_desc_es',
] as const;

/**
 * Reads what a broken 200 still says: about a third of the staging receipts are answered with unescaped quotes inside
 * `href` (upstream.md). A value is what stands between its own key and the next known key, or the end of the object;
 * half a body has no such end and is not read. Null if there is no title.
 */
export function salvageCaseStatus(body: string): CaseStatusBody | null {
  if (!body.trimEnd().endsWith('}')) return null;
  const found = Object.fromEntries(texts.map((key) => [key, textOf(body, key)]));
  const parsed = caseStatusBody.safeParse({ ...found, hist_case_status: historyOf(body) });
  return parsed.success ? parsed.data : null;
}

// "key" : "value" followed by , "known key" : or by } — the shortest such value, over line breaks too.
function textOf(body: string, key: string): string | undefined {
  const next = [...texts, 'hist_case_status', 'message'].join('|');
  const pattern = new RegExp(
    `"${key}"\\s*:\\s*"([\\s\\S]*?)"\\s*(?:,\\s*"(?:${next})"\\s*:|\\}\\s*(?:,|\\}))`,
  );
  const value = pattern.exec(body)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

/** Escapes that survived are undone one by one; a quote that was not escaped stays as it is. */
function unescaped(value: string): string {
  const quoted = `"${value.replace(/\\"|"/g, '\\"').replace(/[\n\r\t]/g, ' ')}"`;
  const text = parseJson(quoted);
  return typeof text === 'string' ? text : value;
}

// The list holds titles and dates only; where it is broken itself, it is left out.
function historyOf(body: string): unknown {
  const list = /"hist_case_status"\s*:\s*(\[[\s\S]*?\])\s*[,}]/.exec(body)?.[1];
  const parsed = list === undefined ? null : parseJson(list);
  return Array.isArray(parsed) ? parsed : null;
}
