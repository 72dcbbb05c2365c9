import type { Language, PersonWith, UserPrincipal } from '@casewatch/contracts';
import type { AnyPage, Page, PageCall } from '../page.ts';
import { inWordsOf } from './refusals.ts';

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

/** Checks the types of one page for people. Refusals come in the language of the person. */
export function personPage<P, Q, F>(page: Page<Person, P, Q, F>): AnyPage<Person> {
  const { refused } = page;
  if (!refused) return page;
  return {
    ...page,
    refused: async (call, refusal) => await refused(call, inWordsOf(refusal, languageOf(call))),
  };
}

export function languageOf({ session }: Pick<PersonCall, 'session'>): Language {
  return session.user.preferred_language;
}

/** Path of the person in the operations of users and cases. */
export function pathOf({ session }: Pick<PersonCall, 'session'>): { user_id: number } {
  return { user_id: session.principal.user_id };
}
