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

// A value ends with a quote before , "known key" : or before } and its , or } — the first such quote, over line breaks too.
const knownKeys = [...texts, 'hist_case_status', 'message'].join('|');
const endOfText = new RegExp(`"\\s*(?:,\\s*"(?:${knownKeys})"\\s*:|\\}\\s*(?:,|\\}))`);

function textOf(body: string, key: string): string | undefined {
  const value = between(body, new RegExp(`"${key}"\\s*:\\s*"`), endOfText);
  return value === undefined ? undefined : unescaped(value);
}

/**
 * What stands between the first `start` and the first `end` behind it. Two searches take time by the length of the
 * body; one expression for both would try every start against every end.
 */
function between(body: string, start: RegExp, end: RegExp): string | undefined {
  const found = start.exec(body);
  if (!found) return undefined;
  const rest = body.slice(found.index + found[0].length);
  const length = rest.search(end);
  return length === -1 ? undefined : rest.slice(0, length);
}

/** Escapes that survived are undone one by one; a quote that was not escaped stays as it is. */
function unescaped(value: string): string {
  const quoted = `"${value.replace(/\\"|"/g, '\\"').replace(/[\n\r\t]/g, ' ')}"`;
  const text = parseJson(quoted);
  return typeof text === 'string' ? text : value;
}

// The list holds titles and dates only; where it is broken itself, it is left out.
function historyOf(body: string): unknown {
  const list = between(body, /"hist_case_status"\s*:\s*\[/, /\]\s*[,}]/);
  const parsed = list === undefined ? null : parseJson(`[${list}]`);
  return Array.isArray(parsed) ? parsed : null;
}
