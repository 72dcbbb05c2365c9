import { momentOf } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The unit of a relative time, by its largest distance in seconds. */
const units = [
  [hour, minute, 'minute'],
  [day, hour, 'hour'],
  [60 * day, day, 'day'],
  [Number.POSITIVE_INFINITY, 365 * day, 'year'],
] as const;

export type Times = ReturnType<typeof createTimes>;

type Options = { readonly now: Date; readonly zone: string; readonly language: string };

/** Times in the zone and the language of a person. They take ISO times and partner times (interface.md §1). */
export function createTimes({ now, zone, language }: Options) {
  const exactFormat = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  });
  const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: zone });
  const relativeFormat = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

  function exactText(at: Date): string {
    return zone === 'UTC' ? `${exactFormat.format(at)} UTC` : exactFormat.format(at);
  }

  function relativeText(at: Date): string {
    const seconds = (at.getTime() - now.getTime()) / 1000;
    if (Math.abs(seconds) < minute) return relativeFormat.format(0, 'minute');
    const [, size, unit] = units.find(([limit]) => Math.abs(seconds) < limit) ?? units[3];
    if (unit === 'year' && Math.abs(seconds) < 365 * day) return dayFormat.format(at);
    return relativeFormat.format(Math.round(seconds / size), unit);
  }

  const element = (text: string | null | undefined, textOf: (at: Date) => string, none: string): Markup => {
    if (!text) return html`<span class="quiet">${none}</span>`;
    const at = dateOf(text);
    return html`<time datetime="${at.toISOString()}" title="${exactText(at)}">${textOf(at)}</time>`;
  };

  const clockFormat = new Intl.DateTimeFormat(language, {
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: zone,
  });
  /** The time of a moment of today, the day of another one. */
  const clockText = (at: Date) =>
    dayFormat.format(at) === dayFormat.format(now) ? clockFormat.format(at) : dayFormat.format(at);

  return {
    now,
    zone,
    /** `3 hours ago`, with the exact time as its title. */
    ago: (text: string | null | undefined, none = 'never') => element(text, relativeText, none),
    /** `10:02` today, else the day, with the exact time as its title. */
    clock: (text: string | null | undefined, none = '–') => element(text, clockText, none),
    exact: (text: string | null | undefined, none = '–') => element(text, exactText, none),
    day: (text: string | null | undefined, none = '–') => element(text, (at) => dayFormat.format(at), none),
  };
}

/** A partner time is UTC without a zone. */
export function dateOf(text: string): Date {
  return new Date(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`);
}

/** The first moment of a day (`2026-11-23`) in a zone: where clocks change at midnight, some minutes or an hour later. */
export function startOfDay(day: string, zone: string): Date {
  return momentOf({ day, minute: 0 }, zone);
}

/** `2026-11-24` for `2026-11-23`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
}

const minuteMs = 60_000;

/** When something comes next. A sender can be late: then it is due, and the planned time is in the past. */
export function planned(times: Times, text: string | null | undefined, none: string): Markup {
  const isLate = text != null && times.now.getTime() - dateOf(text).getTime() >= minuteMs;
  return html`${isLate && 'due now, planned '}${times.ago(text, none)}`;
}
