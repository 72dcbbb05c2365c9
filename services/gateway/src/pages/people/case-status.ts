import { type Language, type StatusUpdate, statusWords } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { entriesNewIn, timeOfEntry } from '../parts/history.ts';
import { dayInWords, momentInWords, sentence } from './dates.ts';
import { languageOf, type PersonCall } from './person-page.ts';
import { explanationOf, titleOf, withBoldDay } from './status-words.ts';
import { caseTexts } from './texts/case-texts.ts';

/** An update with those before it, as far as they are shown. */
export type Shown = { update: StatusUpdate; older: readonly StatusUpdate[] };

/** The status of today: what to do by when, what it means, and then the words of USCIS, in the order of the mails. */
export function currentStatus(call: PersonCall, shown: Shown): Markup {
  const language = languageOf(call);
  const texts = caseTexts[language];
  const { update } = shown;
  const { meaning, toDo } = explanationOf(update, language);
  const { touched_at, history } = update;
  const added = entriesNewIn(update, shown.older);
  return html`<section class="now"><p class="label">${texts.now}</p>
<h2>${titleOf(update, language)}</h2>
${facts(call, shown, { isEntryShown: false })}
${touched_at !== null && html`<p class="quiet">${sentence(texts.touched(dayInWords(touched_at, language, 'UTC')))}</p>`}
${
  toDo &&
  html`<div class="action"><h3>${texts.toDo}</h3>
<p>${toDo.action}</p>
${toDo.deadline && html`<p>${withBoldDay(toDo.deadline)}</p>`}</div>`
}
<h3>${texts.meaning}</h3>
<p>${meaning}</p>
<h3>${texts.official}</h3>
${officialWords(call, update)}
${added.length > 0 && html`<h3>${texts.newHistory}</h3>${entries(added, language)}`}
${history.length > 0 && html`<h3>${texts.history}</h3>${entries(history, language)}`}</section>`;
}

export function earlierStatus(call: PersonCall, shown: Shown): Markup {
  const language = languageOf(call);
  const texts = caseTexts[language];
  const { update } = shown;
  const { history } = update;
  const added = entriesNewIn(update, shown.older);
  return html`<li><h3>${titleOf(update, language)}</h3>
${facts(call, shown, { isEntryShown: added.length > 0 })}
${added.length > 0 && html`<p class="label">${texts.newHistory}</p>${entries(added, language)}`}
<details class="more"><summary>${texts.details}</summary><p>${explanationOf(update, language).meaning}</p>
<p class="label">${texts.official}</p>
${officialWords(call, update)}
${history.length > 0 && html`<p class="label">${texts.history}</p>${entries(history, language)}`}</details></li>
`;
}

/** `isEntryShown`: the new entries of the history follow at once, and say themselves that the history changed. */
type NoteView = { isEntryShown: boolean };

/** When we saw it, and what changed with it. */
function facts(call: PersonCall, { update }: Shown, view: NoteView): Markup {
  const language = languageOf(call);
  const { seen } = caseTexts[language];
  const note = noteOf(update, language, view);
  return html`<p class="quiet">${sentence(seen(momentInWords(update.timestamp, language, call.times.zone)))}${note !== '' && html` ${note}`}</p>`;
}

/** Nothing where it is not known what changed. */
function noteOf({ kind, changes }: StatusUpdate, language: Language, { isEntryShown }: NoteView): string {
  const { kinds, changed } = caseTexts[language];
  const isDetails = kind === 'details';
  const isHistoryAlone = changes.includes('history') && !changes.includes('text');
  return [
    (kind === 'baseline' || kind === 'flap') && kinds[kind],
    isDetails && changes.includes('text') && changed.text,
    isDetails && isHistoryAlone && !isEntryShown && changed.history,
    changes.includes('date') && changed.date,
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
}

/** Newest first; in the person's language where there are such words, else those of USCIS. */
function entries(history: StatusUpdate['history'], language: Language): Markup {
  const shown = history.toReversed().map((entry) => {
    const time = timeOfEntry(entry);
    const day = time === null ? entry.date : dayInWords(time, language, 'UTC');
    return html`<li><span class="quiet">${day}</span> ${titleOf(entry, language)}</li>\n`;
  });
  return html`<ul class="history">${shown}</ul>`;
}

/** Only words of USCIS: its Spanish if it served any, else its English. Never our table's text (notifier.md, Truth). */
function officialWords(call: PersonCall, update: StatusUpdate): Markup {
  const language = languageOf(call);
  const { officialInEnglish, explainedAbove } = caseTexts[language];
  const { spanish_source, status_code_es: title, status_description_es: text } = update;
  if (language === 'es' && spanish_source === 'uscis' && title !== null && text !== null)
    return html`<blockquote lang="es"><p><b>${title}</b></p><p>${text}</p></blockquote>`;
  const { isKnown } = statusWords(update.status_code, language);
  return html`${officialInEnglish !== null && html`<p class="quiet small">${officialInEnglish}${isKnown && html` ${explainedAbove}`}</p>`}
<blockquote lang="en"><p><b>${update.status_code}</b></p><p>${update.status_description}</p></blockquote>`;
}
