import { type CaseStatusBody, caseFields } from '../domain/parse-case-status.ts';
import { parseJson } from './error-envelope.ts';

const texts = caseFields.filter((key) => key !== 'hist_case_status');

/**
 * Parses a 200 with broken JSON: a third of the staging receipts have unescaped quotes inside `href` (upstream.md).
 * A value ends before the next known key or the end of the object. Null without a title.
 */
export function salvageCaseStatus(body: string): CaseStatusBody | null {
  if (!body.trimEnd().endsWith('}')) return null;
  const values: CaseStatusBody = Object.fromEntries(texts.map((key) => [key, textOf(body, key)]));
  if (!values.receiptNumber || !values.current_case_status_text_en) return null;
  return { ...values, hist_case_status: historyOf(body) };
}

// The first quote before `, "known key":`, or before `}` with its `,` or `}`; across line breaks too.
const endOfText = new RegExp(
  `"\\s*(?:,\\s*"(?:${[...caseFields, 'message'].join('|')})"\\s*:|\\}\\s*(?:,|\\}))`,
);

function textOf(body: string, key: string): string | undefined {
  const value = between(body, new RegExp(`"${key}"\\s*:\\s*"`), endOfText);
  return value === undefined ? undefined : unescaped(value);
}

/** The text between `start` and the next `end`. Two searches take linear time; one expression would not. */
function between(body: string, start: RegExp, end: RegExp): string | undefined {
  const match = start.exec(body);
  if (!match) return undefined;
  const rest = body.slice(match.index + match[0].length);
  const length = rest.search(end);
  return length === -1 ? undefined : rest.slice(0, length);
}

function unescaped(value: string): string {
  const quoted = `"${value.replace(/\\"|"/g, '\\"').replace(/[\n\r\t]/g, ' ')}"`;
  const text = parseJson(quoted);
  return typeof text === 'string' ? text : value;
}

/** A list that is broken itself stays text, which counts as a history that could not be read. */
function historyOf(body: string): unknown {
  const list = between(body, /"hist_case_status"\s*:\s*\[/, /\]\s*[,}]/);
  return list === undefined ? undefined : (parseJson(`[${list}]`) ?? list);
}
