import {
  type HistoryEntry,
  matchStatus,
  normaliseTitle,
  type SpanishSource,
  type StatusFacts,
  toIso,
} from '@casewatch/contracts';
import { z } from 'zod';
import { plainText } from './plain-text.ts';

const text = z.string().nullish();

/** `case_status` of a 200 (upstream.md, 200). Texts may contain markup. */
export const caseStatusBody = z.object({
  receiptNumber: z.string(),
  formType: text,
  submittedDate: text,
  modifiedDate: text,
  current_case_status_text_en: z.string().regex(/\S/),
  current_case_status_text_es: text,
  current_case_status_desc_en: text,
  current_case_status_desc_es: text,
  hist_case_status: z
    .array(z.object({ date: text, completed_text_en: text, completed_text_es: text }))
    .nullish(),
});

export type CaseStatusBody = z.infer<typeof caseStatusBody>;

/** The Spanish texts of USCIS, hashed apart from the facts (monitor.md, "What counts as a change"). */
export type SpanishTexts = { title: string | null; description: string | null; history: (string | null)[] };

export type ParsedStatus = { facts: StatusFacts; spanish: SpanishTexts };

/** USCIS shows this title, with an apology, where it has no status at the moment. */
const placeholder = 'case status';

/** Null if the answer shows no state: a placeholder, or no description (monitor.md, "No noise"). */
export function parseCaseStatus(body: Omit<CaseStatusBody, 'receiptNumber'>): ParsedStatus | null {
  const title = plainText(body.current_case_status_text_en);
  const description = plainText(body.current_case_status_desc_en);
  if (title === null || description === null || normaliseTitle(title) === placeholder) return null;
  const { knownStatus, slug, category } = matchStatus(title);
  const spanish = {
    title: plainText(body.current_case_status_text_es),
    description: plainText(body.current_case_status_desc_es),
  };
  const history = parseHistory(body.hist_case_status);
  const facts: StatusFacts = {
    status_code: title,
    status_description: description,
    form_type: normaliseFormType(body.formType),
    status_code_es: spanish.title ?? knownStatus?.es ?? null,
    status_description_es: spanish.description ?? knownStatus?.meaning.es ?? null,
    status_code_pt: knownStatus?.pt ?? null,
    status_description_pt: knownStatus?.meaning.pt ?? null,
    status_slug: slug,
    category,
    submitted_date: parseMoment(body.submittedDate),
    modified_date: parseMoment(body.modifiedDate),
    history: history.map(({ entry }) => entry),
  };
  return { facts, spanish: { ...spanish, history: history.map(({ es }) => es) } };
}

/** `uscis` only if USCIS served both, because people read them together. */
export function spanishSourceOf({ title, description }: SpanishTexts): SpanishSource {
  return title !== null && description !== null ? 'uscis' : 'casewatch';
}

type PastEntry = { entry: HistoryEntry; es: string | null };

/** Sorted by date, then title: USCIS sends no fixed order. */
function parseHistory(history: CaseStatusBody['hist_case_status']): PastEntry[] {
  return (history ?? [])
    .flatMap((row) => {
      const title = plainText(row.completed_text_en);
      const date = plainText(row.date);
      if (title === null || date === null) return [];
      const { knownStatus } = matchStatus(title);
      const es = plainText(row.completed_text_es);
      const status_code_es = es ?? knownStatus?.es ?? null;
      const status_code_pt = knownStatus?.pt ?? null;
      return [{ entry: { date, status_code: title, status_code_es, status_code_pt }, es }];
    })
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const sortKey = ({ entry }: PastEntry) => `${entry.date} ${entry.status_code}`;

/** "N400" and "n-400" become "N-400": letters, digits, perhaps a letter. Other texts stay. */
function normaliseFormType(text: string | null | undefined): string | null {
  const form = plainText(text)?.toUpperCase() ?? null;
  return form === null ? null : form.replace(/^([A-Z]+)-?(\d+[A-Z]*)$/, '$1-$2');
}

/** `MM-DD-YYYY HH:mm:ss` without a zone, read as UTC (upstream.md); null if missing or invalid. */
function parseMoment(text: string | null | undefined): string | null {
  const parts = /^(\d\d)-(\d\d)-(\d{4}) (\d\d:\d\d:\d\d)$/.exec((text ?? '').trim());
  if (!parts) return null;
  const iso = `${parts[3]}-${parts[1]}-${parts[2]}T${parts[4]}.000Z`;
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) || toIso(moment) !== iso ? null : iso;
}
