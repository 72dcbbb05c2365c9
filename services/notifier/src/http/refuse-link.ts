import type { Language } from '@casewatch/contracts';
import { ApiError, answerPage, type PageAnswer } from '@casewatch/platform';
import type { AskedUser } from '../clients/identity.ts';
import { invalidPage } from './pages/unsubscribe-page.ts';

type Reader = { readonly wantsPage: boolean; readonly language: Language };

/**
 * The answer to a link that is not ours; to a browser it is a page too, in the browser's language.
 * @throws ApiError invalid_verification_token, to anybody else
 */
export function refuseLink(call: Reader): PageAnswer {
  const refusal = new ApiError('invalid_verification_token', {
    message: 'This unsubscribe link is not valid.',
  });
  if (!call.wantsPage) throw refusal;
  return answerPage(invalidPage(call.language), refusal.status);
}

/** The language of a person; English where nobody can say. */
export function languageOf(asked: AskedUser): Language {
  return typeof asked === 'string' ? 'en' : asked.preferred_language;
}
