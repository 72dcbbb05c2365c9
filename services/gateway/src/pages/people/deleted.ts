import type { Language } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import type { View } from '../page.ts';
import { dataTexts } from './texts/data-texts.ts';

export function deletedView(language: Language): View {
  const { deletedTitle, deletedText } = dataTexts[language];
  return { title: deletedTitle, main: html`<h1>${deletedTitle}</h1>\n<p>${deletedText}</p>` };
}
