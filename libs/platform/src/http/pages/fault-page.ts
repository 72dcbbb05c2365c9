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
 * The page for an error where a browser expects one, in its language: at links in mails, and at every address that is none of the
 * interface for programs. It repeats nothing of the request, because the address may have a token. Null: the caller is a program, or
 * the path is of such an interface.
 */
export function faultPage(error: ApiError, req: Asker, requestId: string): PageAnswer | null {
  // As in routing, one slash at the end is ignored.
  const isOfLink = pagePaths.has(req.path.replace(/\/$/, ''));
  if ((!isOfLink && req.path.toLowerCase().startsWith('/v1/')) || !wantsPage(req)) return null;
  const language = languageOf(req);
  const cause = causeOf(error);
  const text = textOf(error, cause, { language, isOfLink });
  const isHelpful = cause === 'link' || (cause === 'request' && error.status !== 429);
  const content = html`${isHelpful && signInLink(language, req.path)}<p>${faultTexts[language].request_id}: <code>${requestId}</code></p>
`;
  return answerPage(personPage({ language, brand: null }, text, content), error.status);
}

type At = { readonly language: Language; readonly isOfLink: boolean };

function textOf({ status, retryAfterS }: ApiError, cause: Cause, { language, isOfLink }: At) {
  const { ofPage, tooMany, ...texts } = faultTexts[language];
  const minutes = Math.ceil((retryAfterS ?? 60) / 60);
  const ofLink = status === 429 ? tooMany(minutes) : texts[cause];
  if (isOfLink || cause === 'link') return ofLink;
  return { title: ofLink.title, text: status === 429 ? ofPage.tooMany(minutes) : ofPage[cause] };
}

/** A link to the start page, where people sign in. @param path of the page. A relative address keeps the path of the public address */
export function signInLink(language: Language, path: string): Markup {
  // An empty address would be that of the page itself. The front page goes on in the language of this one.
  const up = '../'.repeat(path.split('/').length - 2) || './';
  return html`<p><a href="${up}?language=${language}">${faultTexts[language].signIn}</a></p>
`;
}

function causeOf({ code, status, options }: ApiError): Cause {
  const isOfToken = options.faults?.some(
    (fault) => fault.parameter === 'token' || fault.pointer === '#/token',
  );
  if (isOfToken || code === 'invalid_verification_token') return 'link';
  return causeOfStatus(status);
}

/** Why a page to which no link in a mail leads cannot be shown. */
export function causeOfStatus(status: number): Exclude<Cause, 'link'> {
  if (status === 503) return 'outage';
  if (status >= 500) return 'failure';
  if (status === 408) return 'slow';
  return status === 431 ? 'headers' : 'request';
}
