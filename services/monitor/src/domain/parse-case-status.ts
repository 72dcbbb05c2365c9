import {
  type HistoryEntry,
  matchStatus,
  normaliseFormType,
  normaliseTitle,
  readServedDate,
  type ServedDate,
  type SpanishSource,
  type StatusFacts,
} from '@casewatch/contracts';
import { plainText } from './plain-text.ts';

/** The fields of `case_status` in a 200 (upstream.md, 200). Texts may contain markup. */
export const caseFields = [
  'receiptNumber',
  'formType',
  'submittedDate',
  'modifiedDate',
  'current_case_status_text_en',
  'current_case_status_text_es',
  'current_case_status_desc_en',
  'current_case_status_desc_es',
  'hist_case_status',
] as const;

type CaseField = (typeof caseFields)[number];

/** As it was served: types and shapes vary between answers. */
export type CaseStatusBody = Partial<Record<CaseField, unknown>>;

/** The Spanish texts of USCIS, hashed apart from the facts (monitor.md, "What counts as a change"). */
export type SpanishTexts = { title: string | null; description: string | null; history: (string | null)[] };

/** `unread`: optional fields with something in them that is no text, date or history; they count as missing. */
export type ParsedStatus = { facts: StatusFacts; spanish: SpanishTexts; unread?: readonly CaseField[] };

/** Null if the answer shows no state: a title or a description that is missing or says nothing (monitor.md, "No noise"). */
export function parseCaseStatus(body: CaseStatusBody): ParsedStatus | null {
  const fields = createFields();
  const title = fields.text('current_case_status_text_en', body.current_case_status_text_en);
  const description = fields.text('current_case_status_desc_en', body.current_case_status_desc_en);
  if (title === null || description === null) return null;
  const { knownStatus, slug, category } = matchStatus(title);
  const spanish = {
    title: spanishOf(fields.text('current_case_status_text_es', body.current_case_status_text_es), title),
    description: spanishOf(
      fields.text('current_case_status_desc_es', body.current_case_status_desc_es),
      description,
    ),
  };
  const history = parseHistory(body.hist_case_status, fields);
  const form = fields.text('formType', body.formType);
  const facts: StatusFacts = {
    status_code: title,
    status_description: description,
    form_type: form && normaliseFormType(form),
    status_code_es: spanish.title ?? knownStatus?.es ?? null,
    status_description_es: spanish.description ?? knownStatus?.meaning.es ?? null,
    status_code_pt: knownStatus?.pt ?? null,
    status_description_pt: knownStatus?.meaning.pt ?? null,
    status_slug: slug,
    category,
    submitted_date: fields.date('submittedDate', body.submittedDate)?.at ?? null,
    modified_date: fields.date('modifiedDate', body.modifiedDate)?.at ?? null,
    history: history.map(({ entry }) => entry),
  };
  return { facts, spanish: { ...spanish, history: history.map(({ es }) => es) }, unread: fields.unread() };
}

/** `uscis` only if USCIS served both, because people read them together. */
export function spanishSourceOf({ title, description }: SpanishTexts): SpanishSource {
  return title !== null && description !== null ? 'uscis' : 'casewatch';
}

/** Whether a value has nothing in it that people could read: null, "", tags alone, a list or an object of such values. */
export function isNothing(value: unknown, depth = 3): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return plainText(value) === null;
  // Deeper values are of no known answer, and would fill the stack.
  return (
    typeof value === 'object' &&
    depth > 0 &&
    Object.values(value).every((inner) => isNothing(inner, depth - 1))
  );
}

/** What programs write where they have no text, and the title of USCIS where it has no status; as `normaliseTitle` makes them. */
const wordsForNothing = new Set([
  ...['', 'null', 'nil', 'none', 'undefined', 'nan', 'na', 'n a', 'object object', 'empty', 'blank'],
  ...['unknown', 'not available', 'not applicable', 'unavailable', 'no data', 'no status', 'tbd'],
  ...[
    'status',
    'case status',
    'case status online',
    'estado del caso',
    'ninguno',
    'desconocido',
    'no disponible',
  ],
]);

const isWordForNothing = (text: string) => wordsForNothing.has(normaliseTitle(text));

type Fields = ReturnType<typeof createFields>;

/** Reads fields of any type, and keeps the names of those that could not be read. */
function createFields() {
  const unread = new Set<CaseField>();
  return {
    unread: () => [...unread],
    /** Counts a part of a field that could not be read. */
    leaveOut: (field: CaseField) => void unread.add(field),
    /** Null: missing, or words that say nothing. */
    text(field: CaseField, value: unknown): string | null {
      if (isNothing(value)) return null;
      const text = typeof value === 'string' ? plainText(value) : null;
      if (text === null) unread.add(field);
      // Digits and dots alone say nothing either.
      return text === null || !/\p{L}/u.test(text) || isWordForNothing(text) ? null : text;
    },
    date(field: CaseField, value: unknown): ServedDate | null {
      if (isNothing(value) || (typeof value === 'string' && isWordForNothing(value))) return null;
      const date = readServedDate(value);
      if (!date) unread.add(field);
      return date;
    },
  };
}

/** Null if a Spanish text is only the English one again, or an English title of our table. */
function spanishOf(text: string | null, english: string): string | null {
  if (text === null || normaliseTitle(text) === normaliseTitle(english)) return null;
  return matchStatus(text).knownStatus ? null : text;
}

type PastEntry = { entry: HistoryEntry; es: string | null; at: string };

/** Sorted by time, then title: USCIS sends no fixed order. A row without a title or a date is left out. */
function parseHistory(history: unknown, fields: Fields): PastEntry[] {
  const field = 'hist_case_status';
  if (isNothing(history)) return [];
  const rows = Array.isArray(history) ? history : [null];
  return rows
    .flatMap((row: { [name: string]: unknown } | null) => {
      const title = fields.text(field, row?.completed_text_en);
      const date = fields.date(field, row?.date);
      if (title === null || date === null) {
        fields.leaveOut(field);
        return [];
      }
      const { knownStatus } = matchStatus(title);
      const es = spanishOf(fields.text(field, row?.completed_text_es), title);
      const status_code_es = es ?? knownStatus?.es ?? null;
      const status_code_pt = knownStatus?.pt ?? null;
      const entry = { date: date.day, status_code: title, status_code_es, status_code_pt };
      return [{ entry, es, at: date.at }];
    })
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const sortKey = ({ entry, at }: PastEntry) => `${entry.date} ${at} ${entry.status_code}`;
