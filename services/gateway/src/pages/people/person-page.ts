import {
  type ErrorCode,
  type Language,
  language as languages,
  type PersonWith,
  readReceiptNumber,
  type UserPrincipal,
} from '@casewatch/contracts';
import { causeOfStatus, faultTexts } from '@casewatch/platform';
import { type AnyPage, type FormPages, formPages, type Page, type PageCall, type Refusal } from '../page.ts';
import { errorTexts } from './texts/error-texts.ts';

/** A person who is signed in. */
export type Person = {
  readonly principal: UserPrincipal;
  readonly user: PersonWith<
    | 'email'
    | 'name'
    | 'phone'
    | 'status'
    | 'preferred_language'
    | 'notify_by_email'
    | 'notify_by_whatsapp'
    | 'partner_name'
    | 'partner_logo_url'
  >;
};
export type PersonCall<P = unknown, Q = unknown, F = unknown> = PageCall<Person, P, Q, F>;

/** Checks the types of one page for people, who need no scope. Refusals come in the language of the person. */
export function personPage<P, Q, F>(page: Omit<Page<Person, P, Q, F>, 'scope'>): AnyPage<Person> {
  const { refused } = page;
  if (!refused) return { ...page, scope: null };
  return {
    ...page,
    scope: null,
    refused: async (call, refusal) => await refused(call, inWordsOf(refusal, languageOf(call))),
  };
}

/** The two pages of a form with an address of its own. */
export function personForm<P, F>(pages: Omit<FormPages<Person, P, F>, 'scope'>): AnyPage<Person>[] {
  return formPages({ ...pages, scope: null }).map((page) => personPage(page));
}

export function languageOf({ session }: Pick<PersonCall, 'session'>): Language {
  return session.user.preferred_language;
}

export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  pt: 'Português',
};

export const languageChoices = languages.options.map((value) => ({ value, text: languageNames[value] }));

/** Path of the person in the operations of users and cases. */
export function pathOf({ session }: Pick<PersonCall, 'session'>): { user_id: number } {
  return { user_id: session.principal.user_id };
}

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
  if (status === 404) return codes.route_not_found;
  if (status === 429) return tooMany(Math.ceil((retryAfterS ?? 60) / 60));
  return faultTexts[language].ofPage[causeOfStatus(status)];
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
