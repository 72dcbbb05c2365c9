import { type Language, routesInOrder } from '@casewatch/contracts';
import type { Request } from 'express';
import type { ApiError } from '../../errors.ts';
import { languageOf, wantsPage } from '../call.ts';
import { type Cause, faultTexts } from './fault-texts.ts';
import { html, type Markup } from './html.ts';
import { answerPage, type PageAnswer, personPage } from './page.ts';

const pagePaths = new Set(
  routesInOrder()
    .filter((row) => row.page)
    .map((row) => row.path),
);

/** What decides whether a request is answered with a page. */
type Asker = Pick<Request, 'accepts' | 'acceptsLanguages' | 'path'>;

/**
 * The page for an error of an operation that links in mails lead to, in the language of the browser. It repeats nothing of
 * the request, because the address has a token. Null: the path has no page, or the caller is a program.
 */
export function faultPage(error: ApiError, req: Asker, requestId: string): PageAnswer | null {
  // As in routing, one slash at the end is ignored.
  if (!pagePaths.has(req.path.replace(/\/$/, '')) || !wantsPage(req)) return null;
  const language = languageOf(req);
  const texts = faultTexts[language];
  const cause = causeOf(error);
  const minutes = Math.ceil((error.retryAfterS ?? 60) / 60);
  const text = error.status === 429 ? texts.tooMany(minutes) : texts[cause];
  const content = html`${cause === 'link' && signInLink(language, req.path)}<p>${texts.request_id}: <code>${requestId}</code></p>
`;
  return answerPage(personPage(language, text, content), error.status);
}

/** A link to the start page, where people sign in. @param path of the page. A relative address keeps the path of the public address */
export function signInLink(language: Language, path: string): Markup {
  const up = '../'.repeat(path.split('/').length - 2);
  return html`<p><a href="${up}">${faultTexts[language].signIn}</a></p>
`;
}

function causeOf({ code, status, options }: ApiError): Cause {
  const isOfToken = options.faults?.some(
    (fault) => fault.parameter === 'token' || fault.pointer === '#/token',
  );
  if (isOfToken || code === 'invalid_verification_token') return 'link';
  if (status === 503) return 'outage';
  if (status >= 500) return 'failure';
  if (status === 408) return 'slow';
  return status === 431 ? 'headers' : 'request';
}
