import { html, type Markup } from '@casewatch/platform';
import { dateOf, type Times } from '../parts/time.ts';

const minuteMs = 60_000;

/** When something comes next. A sender can be late: then it is due, and the planned time is in the past. */
export function planned(times: Times, text: string | null | undefined, none: string): Markup {
  const isLate = text != null && times.now.getTime() - dateOf(text).getTime() >= minuteMs;
  return html`${isLate && 'due now, planned '}${times.ago(text, none)}`;
}
