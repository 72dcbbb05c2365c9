import { caseRef, type Language, type StatusUpdate, type Success, statusWords } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { notice } from '../parts/blocks.ts';
import { buttonForm, disclosure, optionalText } from '../parts/form.ts';
import { entriesNewIn, isNoChange, timeOfEntry } from '../parts/history.ts';
import { nextLink, withQuery } from '../parts/table.ts';
import { dayAfter } from '../parts/time.ts';
import { dayInWords, momentInWords, sentence } from './dates.ts';
import { messagesBlock, messagesNotice } from './messages.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { explanationOf, lastDayOf, titleOf, withBoldDay } from './status-words.ts';
import { caseTexts } from './texts/case-texts.ts';
import { withUscisLinks } from './uscis-links.ts';

const casePath = z.object({ case_ref: caseRef });
const done = z
  .enum(['added', 'paused', 'resumed', 'case_paused', 'case_resumed'])
  .optional()
  .catch(undefined);

/** One case in plain words, newest status first. No status stands in the title of the page. */
const casePage = personPage({
  method: 'GET',
  path: '/cases/:case_ref',
  params: casePath,
  query: z.object({ updates_cursor: optionalText, done }),
  async handle(call) {
    const { updates_cursor } = call.query;
    const params = { ...pathOf(call), ...call.params };
    const answer = await call.ask('get_case', { params, query: { updates_cursor } });
    const texts = caseTexts[languageOf(call)];
    const { case: row } = answer;
    const main = html`<p class="back"><a href="/cases">${texts.back}</a></p>
<h1>${row.description || texts.title}</h1>
<p class="quiet">${texts.receipt} <b class="receipt">${row.receipt_number}</b></p>
${doneNotice(call, row, call.query.done)}
${statuses(call, answer)}
${messagesBlock(call, row.user_case_id)}
${checks(call, answer)}
${caseControls(call, row)}`;
    return { title: texts.title, main, isLive: true };
  },
});

const setActive = (verb: 'pause' | 'resume') =>
  personPage({
    method: 'POST',
    path: `/cases/:case_ref/${verb}`,
    params: casePath,
    async handle(call) {
      const params = { ...pathOf(call), ...call.params };
      await call.ask('update_case', { params, body: { active: verb === 'resume' } });
      return { to: `/cases/${call.params.case_ref}?done=case_${verb}d` };
    },
  });

const removeCase = personPage({
  method: 'POST',
  path: '/cases/:case_ref/remove',
  params: casePath,
  async handle(call) {
    await call.ask('delete_case', { params: { ...pathOf(call), ...call.params } });
    return { to: '/cases?done=removed' };
  },
});

/** The day for the person's calendar. It says nothing of the status: others see a calendar. */
const calendarEntry = personPage({
  method: 'GET',
  path: '/cases/:case_ref/calendar',
  params: casePath,
  async handle(call) {
    const answer = await call.ask('get_case', { params: { ...pathOf(call), ...call.params } });
    const language = languageOf(call);
    const { latest_update: update, user_case_id } = answer.case;
    const day = update && lastDayOf(update, language, call.times.now);
    if (!day) throw new ApiError('route_not_found');
    // RFC 5545: a day without a time ends on the next one.
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Casewatch//Casewatch//EN',
      'BEGIN:VEVENT',
      `UID:${user_case_id}-${day}@casewatch`,
      `DTSTAMP:${call.times.now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      `DTEND;VALUE=DATE:${dayAfter(day).replaceAll('-', '')}`,
      `SUMMARY:${caseTexts[language].calendarEntry}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ];
    return { file: { name: 'uscis.ics', type: 'text/calendar', text: lines.join('\r\n') } };
  },
});

export const casePages = [casePage, calendarEntry, setActive('pause'), setActive('resume'), removeCase];

type Answer = Success<'get_case'>;

/** What was done, on top of the page, while it is still so: a page is loaded again later. */
function doneNotice(call: PersonCall, row: Answer['case'], name: z.output<typeof done>): Markup | null {
  const texts = caseTexts[languageOf(call)];
  if (name === 'added') return notice('good', texts.added);
  if (name === 'case_paused') return row.active ? null : notice('good', texts.pausedNow);
  if (name === 'case_resumed') return row.active ? notice('good', texts.resumedNow) : null;
  return messagesNotice(call, name);
}

function statuses(call: PersonCall, { case: row, status_updates, updates_cursor }: Answer): Markup {
  const texts = caseTexts[languageOf(call)];
  const [newest, ...earlier] = status_updates;
  if (!newest) {
    return html`<section class="now"><h2>${texts.noStatusTitle}</h2><p>${texts.noStatusText}</p></section>`;
  }
  const isNewest = newest.id === row.latest_update?.id;
  const shown = status_updates.map((update, i) => ({ update, older: status_updates.slice(i + 1) }));
  const past = (isNewest ? shown.slice(1) : shown).filter(({ update }) => !isNoChange(update));
  return html`${isNewest && currentStatus(call, { update: newest, older: earlier }, row.user_case_id)}
${past.length > 0 && html`<section class="block"><h2>${texts.earlier}</h2><ol class="timeline">${past.map((one) => earlierStatus(call, one))}</ol></section>`}
${updates_cursor !== null && html`<p>${nextLink(withQuery(`/cases/${row.user_case_id}`, { updates_cursor }), texts.older)}</p>`}`;
}

/** An update with those before it, as far as they are shown. */
type Shown = { update: StatusUpdate; older: readonly StatusUpdate[] };

/** The status of today: by when to answer and what to do, what it means, and then the words of USCIS, in the order of the mails. */
function currentStatus(call: PersonCall, shown: Shown, caseId: string): Markup {
  const language = languageOf(call);
  const texts = caseTexts[language];
  const { update } = shown;
  const { meaning, toDo } = explanationOf(update, language);
  const lastDay = lastDayOf(update, language, call.times.now);
  const { touched_at, history } = update;
  const added = entriesNewIn(update, shown.older);
  return html`<section class="now"><p class="label">${texts.now}</p>
<h2>${titleOf(update, language)}</h2>
${facts(call, shown, { isEntryShown: false })}
${touched_at !== null && html`<p class="quiet">${sentence(texts.touched(dayInWords(touched_at, language, 'UTC')))}</p>`}
${
  toDo &&
  html`<div class="action"><h3>${texts.toDo}</h3>
${toDo.notice && html`<p>${withBoldDay(toDo.notice)}</p>`}
${toDo.deadline && html`<p>${withBoldDay(toDo.deadline)}</p>`}
${toDo.action && html`<p>${toDo.action}</p>`}
${lastDay !== null && html`<p><a class="button" href="/cases/${caseId}/calendar" download>${texts.calendar}</a></p>`}</div>`
}
<h3>${texts.meaning}</h3>
<p>${meaning}</p>
<h3>${texts.official}</h3>
${officialWords(call, update)}
${added.length > 0 && html`<h3>${texts.newHistory}</h3>${entries(added, language)}`}
${history.length > 0 && html`<h3>${texts.history}</h3>${entries(history, language)}`}</section>`;
}

function earlierStatus(call: PersonCall, shown: Shown): Markup {
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

/** `isEntryShown`: the new entries of the history follow, and say themselves that the history changed. */
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
    return html`<blockquote lang="es"><p><b>${title}</b></p><p>${withUscisLinks(text)}</p></blockquote>`;
  const { isKnown } = statusWords(update.status_code, language);
  return html`${officialInEnglish !== null && html`<p class="quiet small">${officialInEnglish}${isKnown && html` ${explainedAbove}`}</p>`}
<blockquote lang="en"><p><b>${update.status_code}</b></p><p>${withUscisLinks(update.status_description)}</p></blockquote>`;
}

function checks(call: PersonCall, { case: row, monitoring }: Answer): Markup {
  const language = languageOf(call);
  const texts = caseTexts[language];
  const last = row.last_checked
    ? sentence(texts.lastChecked(momentInWords(row.last_checked, language, call.times.zone)))
    : texts.notChecked;
  return html`<section class="block"><h2>${texts.checks}</h2>
<p>${texts.monitoring[monitoring.state]}</p>
<p class="quiet">${last}</p></section>`;
}

/** Pause or resume, and remove. */
function caseControls(call: PersonCall, row: Answer['case']): Markup {
  const texts = caseTexts[languageOf(call)];
  const path = `/cases/${row.user_case_id}`;
  const toggle = row.active
    ? buttonForm(`${path}/pause`, texts.pause)
    : buttonForm(`${path}/resume`, texts.resume, 'primary');
  return html`<section class="block controls">
${toggle}
${row.active && html`<p class="quiet small">${texts.pauseNote}</p>`}
${disclosure({ summary: texts.remove, text: texts.removeText, action: `${path}/remove`, button: texts.removeNow, tone: 'danger' })}
</section>`;
}
