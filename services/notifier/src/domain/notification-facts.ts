import {
  answerBy,
  type ChangedPart,
  type HistoryEntry,
  type Language,
  matchStatus,
  type SpanishSource,
  type StatusUpdated,
  type UpdateKind,
} from '@casewatch/contracts';
import { maskedReceipt, maskReceipts } from './mask-receipt.ts';

/** English is the text of USCIS; the others may be missing. */
type Texts = Record<Exclude<Language, 'en'>, string | null> & { en: string };

/** An entry that USCIS added to the history. `date`: `YYYY-MM-DD`, in another notation, or empty. */
type NewEntry = { date: string; text: Texts };

/** Content of a message. It has no name, address, phone or complete receipt number. */
export type NotificationFacts = {
  kind: UpdateKind;
  user_case_id: string;
  receipt_masked: string;
  title: Texts;
  text: Texts;
  previous_title: Texts | null;
  /** Who wrote the Spanish title and text; missing in old rows. */
  spanish_source?: SpanishSource;
  /** What changed, and the entries that the history got, newest first; missing in old rows. */
  changes?: ChangedPart[];
  new_history?: NewEntry[];
  /** Estimated last day for an answer, `YYYY-MM-DD`; missing in old rows. */
  answer_by?: string | null;
  /** The day that the firm read in the notice, `YYYY-MM-DD`. Never stored: it is asked for with each message. */
  notice?: string;
};

export function factsOf(
  { case: reference, status_update: update, previous_status_code: previous, ...event }: StatusUpdated,
  now: Date,
): NotificationFacts {
  return {
    kind: update.kind,
    user_case_id: reference.user_case_id,
    receipt_masked: maskedReceipt(reference.receipt_number),
    title: masked(update.status_code, update.status_code_es, update.status_code_pt),
    text: masked(update.status_description, update.status_description_es, update.status_description_pt),
    previous_title: previous === null ? null : translated(previous),
    answer_by: answerBy({ ...update, title_modified_date: event.title_modified_date }, now),
    spanish_source: event.spanish_source ?? 'casewatch',
    changes: update.changes,
    new_history: event.new_history.map(newEntry).toReversed(),
  };
}

function newEntry({ date, status_code, status_code_es, status_code_pt }: HistoryEntry): NewEntry {
  return { date: date ?? '', text: masked(status_code, status_code_es, status_code_pt) };
}

function masked(en: string, es: string | null, pt: string | null): Texts {
  return { en: maskReceipts(en), es: es && maskReceipts(es), pt: pt && maskReceipts(pt) };
}

/** The event has the previous title only in English. */
function translated(title: string): Texts {
  const status = matchStatus(title).knownStatus;
  return masked(title, status?.es ?? null, status?.pt ?? null);
}
