import { ApiError, answerPage, type PageAnswer, preferredLanguage } from '@casewatch/platform';
import { invalidPage } from './verify-email-page.ts';

/** To a browser a link that does not work is a page too, in the browser's language: whose it was is not known. */
export async function orInvalidPage(
  call: { header(name: string): string | undefined },
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_verification_token') throw error;
    return answerPage(invalidPage(preferredLanguage(call.header('accept-language'))), error.status);
  }
}
