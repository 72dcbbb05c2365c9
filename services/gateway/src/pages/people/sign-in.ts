import { type ErrorCode, type Language, maxEmail } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { Refusal, View } from '../page.ts';
import { notice } from '../parts/blocks.ts';
import { field, form, hidden } from '../parts/form.ts';
import { ownPage, ownPageAt } from './own-page.ts';
import { errorTexts } from './texts/error-texts.ts';
import { signInTexts } from './texts/sign-in-texts.ts';

type Start = {
  readonly refusal?: Refusal | null;
  /** Who runs this system, if its operator says so. */
  readonly operator?: string | undefined;
  /** Why the person is not signed in any more. */
  readonly ended?: ErrorCode | null;
  /** Where the person wanted to go; only a page of ours is kept. */
  readonly next?: string;
};

/** Asks for the address. */
export function signInView(
  language: Language,
  { refusal = null, operator, ended = null, next = '' }: Start = {},
): View {
  const texts = signInTexts[language];
  return {
    title: texts.title,
    again: ownPageAt(next),
    main: html`<h1>${texts.title}</h1>
${ended && endNotice(language, ended)}<p>${texts.intro}</p>
<p>${texts.cost}${operator !== undefined && html` ${texts.runBy(operator)}`} ${texts.whose}</p>
${signInForm(language, { refusal, next })}
<p class="small quiet"><a href="/docs" hreflang="en">${texts.docs}</a></p>`,
  };
}

function endNotice(language: Language, code: ErrorCode): Markup {
  const { ended, gone } = signInTexts[language];
  const { account_suspended } = errorTexts[language].codes;
  if (code === 'account_suspended') return notice('warn', account_suspended ?? ended);
  return notice('info', code === 'user_not_found' ? gone : ended);
}

/** One field: the address. */
export function signInForm(
  language: Language,
  { refusal = null, next = '' }: Pick<Start, 'refusal' | 'next'> = {},
): Markup {
  const texts = signInTexts[language];
  const email = field({
    name: 'email',
    label: texts.email,
    hint: texts.emailHint,
    type: 'email',
    autocomplete: 'email',
    maxLength: maxEmail,
    isRequired: true,
    refusal,
  });
  const content = html`${email}${hidden('next', ownPage.parse(next))}`;
  return form({ action: '/sign-in', content, button: texts.send, refusal });
}

type Waiting = { readonly email: string; readonly next: string };

/** Asks for the code of the mail. Where the person wanted to go is kept for another code, and for another address. */
export function codeView(language: Language, { email, next }: Waiting, refusal: Refusal | null): View {
  const texts = signInTexts[language];
  const content = field({
    name: 'code',
    label: texts.code,
    hint: texts.codeHint,
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    isRequired: true,
    refusal: refusal && { ...refusal, posted: {} },
  });
  return {
    title: texts.codeTitle,
    main: html`<h1>${texts.codeTitle}</h1>
<p>${texts.codeIntro(email)}</p>
<p>${texts.newHere}</p>
${form({ action: '/sign-in/code', content, button: texts.enter, refusal })}
<section class="block"><h2>${texts.noMail}</h2>
<p>${texts.noMailText}</p>
${form({ action: '/sign-in', content: html`${hidden('email', email)}${hidden('next', next)}`, button: texts.again, tone: 'plain' })}
<p><a href="${next === '/cases' ? '/' : next}">${texts.otherAddress}</a></p></section>`,
  };
}

export type Account = { readonly id: number; readonly name: string; readonly partner_name: string | null };

/** One address can have an account at several partners. The code is not used up. */
export function chooseView(language: Language, code: string, accounts: readonly Account[]): View {
  const texts = signInTexts[language];
  return {
    title: texts.chooseTitle,
    main: html`<h1>${texts.chooseTitle}</h1>
<p>${texts.chooseIntro}</p>
<form method="post" action="/sign-in/code" class="accounts">${hidden('code', code)}
${accounts.map(({ id, name, partner_name }) => html`<button type="submit" class="button" name="user_id" value="${id}"><b>${partner_name ?? texts.direct}</b> <span>${name}</span></button>\n`)}</form>`,
  };
}

/** Before a change that needs a recent sign-in. */
export function againView(language: Language, email: string, next: string): View {
  const texts = signInTexts[language];
  const content = html`${hidden('email', email)}${hidden('next', next)}`;
  return {
    title: texts.againTitle,
    main: html`<h1>${texts.againTitle}</h1>
<p>${texts.againText}</p>
${form({ action: '/sign-in', content, button: texts.againSend })}`,
  };
}

export function signedOutView(language: Language): View {
  const texts = signInTexts[language];
  return {
    title: texts.signedOutTitle,
    main: html`<h1>${texts.signedOutTitle}</h1>
<p>${texts.signedOutText}</p>
<p><a class="button" href="/">${texts.signInAgain}</a></p>`,
  };
}
