import type { StatusUpdate } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { momentInWords, sentence } from './dates.ts';
import { languageOf, type PersonCall } from './person-page.ts';
import { explanationOf, titleOf, withBoldDay } from './status-words.ts';
import { caseTexts } from './texts/case-texts.ts';

/** The status of today: what it means, what to do by when, and the words of USCIS. */
export function currentStatus(call: PersonCall, update: StatusUpdate): Markup {
  const language = languageOf(call);
  const texts = caseTexts[language];
  const { meaning, toDo } = explanationOf(update, language);
  return html`<section class="now"><p class="label">${texts.now}</p>
<h2>${titleOf(update, language)}</h2>
${facts(call, update)}
<h3>${texts.meaning}</h3>
<p>${meaning}</p>
${
  toDo &&
  html`<div class="action"><h3>${texts.toDo}</h3>
<p>${toDo.action}</p>
${toDo.deadline && html`<p>${withBoldDay(toDo.deadline)}</p>`}</div>`
}
<h3>${texts.official}</h3>
${officialWords(call, update)}</section>`;
}

export function earlierStatus(call: PersonCall, update: StatusUpdate): Markup {
  const language = languageOf(call);
  const texts = caseTexts[language];
  return html`<li><h3>${titleOf(update, language)}</h3>
${facts(call, update)}
<details class="more"><summary>${texts.details}</summary><p>${explanationOf(update, language).meaning}</p>
<p class="label">${texts.official}</p>
${officialWords(call, update)}</details></li>
`;
}

function facts(call: PersonCall, { kind, timestamp }: StatusUpdate): Markup {
  const language = languageOf(call);
  const { seen, kinds } = caseTexts[language];
  const note = kind === 'baseline' || kind === 'details' || kind === 'flap' ? kinds[kind] : null;
  return html`<p class="quiet">${sentence(seen(momentInWords(timestamp, language, call.times.zone)))}${note !== null && html` ${note}`}</p>`;
}

/** Only words of USCIS: its Spanish if it served any, else its English. Never our table's text (notifier.md, Truth). */
function officialWords(call: PersonCall, update: StatusUpdate): Markup {
  const language = languageOf(call);
  const { officialInEnglish } = caseTexts[language];
  const { spanish_source, status_code_es: title, status_description_es: text } = update;
  if (language === 'es' && spanish_source === 'uscis' && title !== null && text !== null)
    return html`<blockquote lang="es"><p><b>${title}</b></p><p>${text}</p></blockquote>`;
  return html`${officialInEnglish !== null && html`<p class="quiet small">${officialInEnglish}</p>`}
<blockquote lang="en"><p><b>${update.status_code}</b></p><p>${update.status_description}</p></blockquote>`;
}
