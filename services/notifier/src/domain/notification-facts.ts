import {
  answerBy,
  type Language,
  matchStatus,
  type StatusUpdated,
  type UpdateKind,
} from '@casewatch/contracts';
import { maskedReceipt, maskReceipts } from './mask-receipt.ts';

/** A text in each language; null where there is none. English is the government's own. */
type Texts = Record<Exclude<Language, 'en'>, string | null> & { en: string };

/** What a message about an update is made of: no name, no address, no phone, no whole receipt number. */
export type NotificationFacts = {
  kind: UpdateKind;
  user_case_id: string;
  /** `…6789` */
  receipt_masked: string;
  title: Texts;
  text: Texts;
  previous_title: Texts | null;
  /** Our estimate of the latest day for an answer, `YYYY-MM-DD`; rows of before it was known have none. */
  answer_by?: string | null;
};

/** What a notification keeps of `status.updated`. */
export function factsOf({
  case: about,
  status_update: update,
  previous_status_code: previous,
}: StatusUpdated): NotificationFacts {
  return {
    kind: update.kind,
    user_case_id: about.user_case_id,
    receipt_masked: maskedReceipt(about.receipt_number),
    title: masked(update.status_code, update.status_code_es, update.status_code_pt),
    text: masked(update.status_description, update.status_description_es, update.status_description_pt),
    previous_title: previous === null ? null : translated(previous),
    answer_by: answerBy(update),
  };
}

function masked(en: string, es: string | null, pt: string | null): Texts {
  return { en: maskReceipts(en), es: es && maskReceipts(es), pt: pt && maskReceipts(pt) };
}

/** The event names the previous title in English alone; our table has the others. */
function translated(title: string): Texts {
  const { known } = matchStatus(title);
  return masked(title, known?.es ?? null, known?.pt ?? null);
}
