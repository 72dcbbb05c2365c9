import type { ErrorCode, Language } from '@casewatch/contracts';
import { ApiError, answerPage, type PageAnswer } from '@casewatch/platform';

/** What a browser is shown instead of a refusal. */
export type RefusalPages = { readonly [code in ErrorCode]?: (language: Language) => string };

/** To a browser a link that does not work is a page too, in the browser's language: whose it was is not known. */
export async function orRefusalPage(
  call: { readonly language: Language },
  pages: RefusalPages,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const page = error instanceof ApiError ? pages[error.code] : undefined;
    if (!page || !(error instanceof ApiError)) throw error;
    return answerPage(page(call.language), error.status);
  }
}
