import { type ErrorCode, type Language, readReceiptNumber } from '@casewatch/contracts';
import type { Refusal } from '../page.ts';
import { errorTexts } from './texts/error-texts.ts';

type Reason = {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterS?: number | undefined;
};

/** A refusal of a service in plain words. */
export function sentenceOf({ code, status, retryAfterS }: Reason, language: Language): string {
  const { codes, tooMany } = errorTexts[language];
  const known = codes[code];
  if (known !== undefined) return known;
  if (status === 429) return tooMany(Math.ceil((retryAfterS ?? 60) / 60));
  return status === 503 ? codes.service_unavailable : codes.internal_error;
}

/** The same refusal in the words of people: those of the services are for engineers. */
export function inWordsOf(refusal: Refusal, language: Language): Refusal {
  const { faults, fields: look } = errorTexts[language];
  const isKnown = (name: string): name is keyof typeof faults => Object.hasOwn(faults, name);
  const typed = String(refusal.posted.receipt_number ?? '');
  const { fault } = readReceiptNumber(typed);
  const receipt = fault === 'letter_o' || fault === 'masked' ? faults[fault] : faults.receipt_number;
  const sentences = { ...faults, receipt_number: receipt };
  const fields = Object.fromEntries(
    Object.keys(refusal.fields).map((name) => [name, sentences[isKnown(name) ? name : 'other']]),
  );
  const hasFields = Object.keys(fields).length > 0;
  return { ...refusal, fields, message: hasFields ? look : sentenceOf(refusal, language) };
}
