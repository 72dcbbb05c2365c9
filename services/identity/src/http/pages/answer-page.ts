import type { Language } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { invalidPage } from './verify-email-page.ts';

/** A page, and the headers that let it do no more than it needs. */
export type PageAnswer = { page: string; status?: number; headers: Record<string, string> };

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

export function answerPage(page: string, status = 200): PageAnswer {
  return { page, status, headers };
}

/** To a browser a link that does not work is a page too, in the browser's language: whose it was is not known. */
export async function orInvalidPage(
  call: { header(name: string): string | undefined },
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_verification_token') throw error;
    return answerPage(invalidPage(languageOf(call.header('accept-language'))), error.status);
  }
}

/** The first of the three that the browser names, in its order (RFC 9110 §12.5.4; weights are in order in practice). */
function languageOf(header = ''): Language {
  const named = header.split(',').map((entry) => entry.trim().slice(0, 2).toLowerCase());
  return named.find((tag): tag is Language => tag === 'en' || tag === 'es' || tag === 'pt') ?? 'en';
}
