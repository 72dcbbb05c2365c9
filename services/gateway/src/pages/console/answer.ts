import { asksForAnswer, type RespondBy, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { facts, pill, type Tone } from '../parts/blocks.ts';
import { buttonForm, disclosure, field, hidden, optionalText, shownFields } from '../parts/form.ts';
import type { Times } from '../parts/time.ts';
import { reviewerName } from './states.ts';

// By when an answer is due, where that day comes from, and whether the firm has sent the answer.

const dayMs = 24 * 60 * 60 * 1_000;

/** Whole days from today, as the calendar of the reader has it; less than 0: the day has passed. */
export function daysLeft({ now, zone }: Pick<Times, 'now' | 'zone'>, date: string): number {
  // The Canadian notation of a day is YYYY-MM-DD.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now);
  return Math.round((Date.parse(date) - Date.parse(today)) / dayMs);
}

/** `5 days left`, `due today`, `2 days ago`. */
export function leftInWords(days: number): string {
  if (days === 0) return 'due today';
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  return days > 0 ? `${count} left` : `${count} ago`;
}

function dayShown(date: string): Markup {
  return html`<time datetime="${date}">${dayInWords(date)}</time>`;
}

/** `Mon, Jan 4, 2027`: a day of the notice, in no zone. */
function dayInWords(date: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    ...({ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const),
    timeZone: 'UTC',
  });
  return format.format(new Date(date));
}

/** How long is left, in a row of a list: the day itself has no room beside the status, and stands where the pointer rests. */
export function dueNote(times: Times, respondBy: RespondBy | null): Markup | null {
  if (respondBy === null) return null;
  const { date, source } = respondBy;
  const days = daysLeft(times, date);
  const text = days < 0 ? 'overdue' : leftInWords(days);
  return html` <span class="quiet" title="${dayInWords(date)}. ${sourceTexts[source]}"><time datetime="${date}">${text}</time></span>`;
}

const sourceTexts: Readonly<Record<RespondBy['source'], string>> = {
  estimate: 'Our estimate, the latest possible day. The notice may give less time.',
  notice: 'From the notice, as your firm typed it.',
};

type Shown = Pick<
  Success<'get_partner_case'>['case'],
  'user_case_id' | 'respond_by' | 'respond_done' | 'latest_update'
>;

/** The status that the page showed: a page that was open for long must not answer the next one. */
const seenStatus = optionalText.transform((id) => (id === undefined ? undefined : Number(id)));

/** The buttons. */
export const answerForm = z.object({ status_update_id: seenStatus });

/** The form with the day of the notice. */
export const noticeForm = z.object({
  respond_by: z.string(),
  status_update_id: seenStatus,
  shown: shownFields,
});

/** What the buttons send, by the end of their path. */
export const answerActs = {
  done: { respond_done: true },
  undone: { respond_done: false },
  estimate: { respond_by: null },
} as const;

type View = {
  readonly times: Times;
  readonly isEditor: boolean;
  readonly refusal: Refusal | undefined;
};

export function answerCard(row: Shown, { times, isEditor, refusal }: View): Markup {
  const { respond_by: by, respond_done: done } = row;
  const path = `/console/cases/${row.user_case_id}/answer`;
  const seen = row.latest_update && hidden('status_update_id', String(row.latest_update.id));
  const act = (name: keyof typeof answerActs, button: string, tone: 'primary' | 'plain' = 'plain') =>
    buttonForm(`${path}/${name}`, button, tone, seen);
  const isAsked = by !== null || done !== null || (row.latest_update && asksForAnswer(row.latest_update));
  const shown =
    isAsked &&
    html`<div class="card">${facts([
      // Of an answer that is sent, nobody has to know the day.
      by === null && done !== null
        ? null
        : [
            'Answer due',
            by
              ? html`${dayShown(by.date)} ${done === null && leftPill(daysLeft(times, by.date))}`
              : 'No day known',
          ],
      by && ['Where the day comes from', sourceTexts[by.source]],
      done && ['Answer sent', html`${times.exact(done.at)}, said by ${reviewerName(done.by)}`],
    ])}</div>`;
  if (!isEditor) return html`${shown}`;
  const noted = by?.source === 'notice' ? by.date : null;
  const content = field({
    name: 'respond_by',
    label: 'Day in the notice',
    type: 'date',
    value: noted,
    isRequired: true,
    hint: isAsked
      ? 'The day by which USCIS must receive the answer. It replaces our estimate, also in mails to the user, until USCIS shows another status.'
      : 'USCIS shows no status that asks for an answer. Once it does, its estimate replaces a day that you type now: type it again then.',
    refusal,
  });
  return html`${shown}<div class="change actions">${
    isAsked && (done === null ? act('done', 'Answer sent', 'primary') : act('undone', 'Not sent'))
  }${noted !== null && act('estimate', 'Back to the estimate')}${disclosure({
    summary: 'Day in the notice…',
    action: path,
    content: html`${seen}${content}`,
    button: 'Save',
    refusal,
    shown: { respond_by: noted },
  })}</div>`;
}

function leftPill(days: number): Markup {
  const tone: Tone = days < 0 ? 'bad' : days <= 14 ? 'warn' : 'info';
  return pill(tone, leftInWords(days));
}
