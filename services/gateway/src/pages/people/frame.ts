import { htmlLanguage, type Language, language as languages } from '@casewatch/contracts';
import { type ApiError, faultTexts, html, type Markup } from '@casewatch/platform';
import { peopleSheet, styleSheet } from '../assets.ts';
import { documentOf, mainPart } from '../layout.ts';
import type { View } from '../page.ts';
import { logo, notice } from '../parts/blocks.ts';
import { ownPageAt } from './own-page.ts';
import { languageNames, type Person, sentenceOf } from './person-page.ts';
import { againView } from './sign-in.ts';
import { errorTexts } from './texts/error-texts.ts';
import { frameTexts } from './texts/frame-texts.ts';

type Framed = {
  readonly session: Person | null;
  readonly view: View;
  readonly url: string;
  readonly language: Language;
};

/** The name of a partner stands on top: an unexpected name looks like fraud (notifier.md, Calm). */
export function peopleFrame({ session: ofReader, view, url, language }: Framed): string {
  const texts = frameTexts[language];
  const brand = ofReader?.user.partner_name ?? 'Casewatch';
  const session = view.endsSession ? null : ofReader;
  const [path = ''] = url.split('?');
  const body = html`<div class="person">
<header><p class="name">${logo(ofReader?.user.partner_logo_url)}${brand}</p>${session && html`${signOut(language)}${menu(language, path)}`}</header>
${mainPart(html`${session?.user.status === 'inactive' && inactive(language)}${view.main}`, view)}
<footer>
<p>${texts.disclaimer}</p>
<p>${texts.advice} <a href="https://www.uscis.gov/avoid-scams">uscis.gov/avoid-scams</a>${texts.adviceLanguage && html` ${texts.adviceLanguage}`}</p>
${session ? languageForm(language, path) : languageLinks(language, view.again ?? url)}
</footer>
</div>`;
  return documentOf({
    language,
    title: `${view.title} · ${brand}`,
    body,
    skip: texts.skip,
    sheets: [styleSheet, peopleSheet],
  });
}

function menu(language: Language, path: string): Markup {
  const texts = frameTexts[language];
  const entries = [
    ['/cases', texts.cases],
    ['/settings', texts.settings],
    ['/data', texts.data],
  ] as const;
  return html`<nav aria-label="${texts.menu}"><ul>
${entries.map(([href, text]) => html`<li><a href="${href}"${path === href && html` aria-current="page"`}>${text}</a></li>\n`)}</ul></nav>`;
}

/** Beside the name: a narrow phone has no room for it in the row of the menu. */
function signOut(language: Language): Markup {
  return html`<form method="post" action="/sign-out"><button type="submit" class="button link">${frameTexts[language].signOut}</button></form>`;
}

function inactive(language: Language): Markup {
  const texts = frameTexts[language];
  return html`${notice('warn', texts.inactive)}<form method="post" action="/settings/activate"><button type="submit" class="button">${texts.activate}</button></form>`;
}

/** Before sign-in the choice is in a cookie. */
function languageLinks(language: Language, url: string): Markup {
  return html`<nav aria-label="${frameTexts[language].language}"><ul>
${languages.options.map((choice) => html`<li><a href="${inLanguage(url, choice)}" lang="${htmlLanguage[choice]}" hreflang="${htmlLanguage[choice]}"${choice === language && html` aria-current="true"`}>${languageNames[choice]}</a></li>\n`)}</ul></nav>`;
}

/** The same page where it can be shown again, else the front page. */
function inLanguage(url: string, language: Language): string {
  const [path = '', query = ''] = url.split('?');
  const token = path === '/welcome' ? new URLSearchParams(query).get('token') : null;
  if (token !== null) return `/welcome?${new URLSearchParams({ token, language })}`;
  return `${path === '/sign-in/code' ? path : (ownPageAt(path) ?? '/')}?language=${language}`;
}

/** After sign-in the choice is the person's setting, for messages too. */
function languageForm(language: Language, path: string): Markup {
  return html`<form method="post" action="/settings/language" aria-label="${frameTexts[language].language}"><input type="hidden" name="to" value="${path}">
${languages.options.map((choice) => html`<button type="submit" class="button link" name="language" value="${choice}" lang="${htmlLanguage[choice]}"${choice === language && html` aria-current="true"`}>${languageNames[choice]}</button>\n`)}</form>`;
}

type Failure = {
  readonly session: Person | null;
  readonly language: Language;
  readonly url: string;
  readonly requestId: string;
};

export function peopleErrorView(error: ApiError, { session, language, url, requestId }: Failure): View {
  if (error.code === 'reauthentication_required' && session) {
    return againView(language, session.user.email, url.startsWith('/data') ? '/data' : '/settings');
  }
  const texts = errorTexts[language];
  const { failure, request_id } = faultTexts[language];
  const title = error.status === 404 ? texts.notFoundTitle : failure.title;
  return {
    title,
    main: html`<h1>${title}</h1>
<p>${sentenceOf(error, language)}</p>
<p><a class="button" href="/">${texts.back}</a></p>
<p class="quiet small">${request_id}: <code>${requestId}</code></p>`,
  };
}
