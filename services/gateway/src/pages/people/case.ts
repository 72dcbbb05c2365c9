import { caseRef, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { optionalText } from '../parts/form-values.ts';
import { isNoChange } from '../parts/history.ts';
import { withQuery } from '../parts/pager.ts';
import { notice } from '../parts/pill.ts';
import { caseControls } from './case-actions.ts';
import { currentStatus, earlierStatus } from './case-status.ts';
import { momentInWords, sentence } from './dates.ts';
import { messagesBlock, messagesNotice } from './messages.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { caseTexts } from './texts/case-texts.ts';

const done = z.enum(['added', 'paused', 'resumed']).optional().catch(undefined);

/** One case in plain words, newest status first. No status stands in the title of the page. */
export const casePage = personPage({
  method: 'GET',
  path: '/cases/:case_ref',
  scope: null,
  params: z.object({ case_ref: caseRef }),
  query: z.object({ updates_cursor: optionalText, done }),
  async handle(call) {
    const { updates_cursor } = call.query;
    const params = { ...pathOf(call), ...call.params };
    const answer = await call.ask('get_case', { params, query: { updates_cursor } });
    const texts = caseTexts[languageOf(call)];
    const { case: row } = answer;
    const main = html`<p class="back"><a href="/cases">${texts.back}</a></p>
<h1>${row.description || texts.title}</h1>
<p class="quiet">${texts.receipt} <b class="receipt">${row.receipt_number}</b> · ${texts.reference} ${row.user_case_id}</p>
${call.query.done === 'added' ? notice('good', texts.added) : messagesNotice(call, call.query.done)}
${statuses(call, answer)}
${messagesBlock(call, row.user_case_id)}
${checks(call, answer)}
${caseControls(call, row)}`;
    return { title: texts.title, main, isLive: true };
  },
});

type Shown = Success<'get_case'>;

function statuses(call: PersonCall, { case: row, status_updates, updates_cursor }: Shown): Markup {
  const texts = caseTexts[languageOf(call)];
  const [newest, ...earlier] = status_updates;
  if (!newest) {
    return html`<section class="now"><h2>${texts.noStatusTitle}</h2><p>${texts.noStatusText}</p></section>`;
  }
  const isNewest = newest.id === row.latest_update?.id;
  const shown = status_updates.map((update, i) => ({ update, older: status_updates.slice(i + 1) }));
  const past = (isNewest ? shown.slice(1) : shown).filter(({ update }) => !isNoChange(update));
  return html`${isNewest && currentStatus(call, { update: newest, older: earlier })}
${past.length > 0 && html`<section class="block"><h2>${texts.earlier}</h2><ol class="timeline">${past.map((one) => earlierStatus(call, one))}</ol></section>`}
${updates_cursor !== null && html`<p><a class="button" rel="next" href="${withQuery(`/cases/${row.user_case_id}`, { updates_cursor })}">${texts.older}</a></p>`}`;
}

function checks({ session, times }: PersonCall, { case: row, monitoring }: Shown): Markup {
  const language = session.user.preferred_language;
  const texts = caseTexts[language];
  const last = row.last_checked
    ? sentence(texts.lastChecked(momentInWords(row.last_checked, language, times.zone)))
    : texts.notChecked;
  return html`<section class="block"><h2>${texts.checks}</h2>
<p>${texts.monitoring[monitoring.state]}</p>
<p class="quiet">${last}</p></section>`;
}
