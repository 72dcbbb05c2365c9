import type { Language } from '@casewatch/contracts';
import { type ApiError, html } from '@casewatch/platform';
import type { View } from '../page.ts';
import type { Person } from './person-page.ts';
import { sentenceOf } from './refusals.ts';
import { againView } from './sign-in.ts';
import { errorTexts } from './texts/error-texts.ts';

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
  const title = error.status === 404 ? texts.notFoundTitle : texts.title;
  return {
    title,
    main: html`<h1>${title}</h1>
<p>${sentenceOf(error, language)}</p>
<p><a class="button" href="/">${texts.back}</a></p>
<p class="quiet small">${texts.request}: <code>${requestId}</code></p>`,
  };
}
