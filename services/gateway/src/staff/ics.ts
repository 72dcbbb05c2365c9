import type { ReplyData } from '@casewatch/contracts';
import { dayAfter } from '../pages/parts/time.ts';

type Due = ReplyData<'cases.due'>['due'][number];

/** Longest line of a calendar, bytes (RFC 5545 §3.1). */
const maxLine = 75;

/**
 * A calendar of all-day entries (RFC 5545): the firm's own number or our reference of each case, and a link that needs a sign-in.
 * It says nothing of a user, a form or a status: calendars are shared, synchronized and shown on locked screens.
 */
export function calendarOf(due: readonly Due[], publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Casewatch//Answers due//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Answers due',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...due.flatMap((each) => entryOf(each, { hostname, publicUrl })),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function entryOf(
  { user_case_id, reference, date, version, changed_at }: Due,
  { hostname, publicUrl }: { hostname: string; publicUrl: string },
): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${user_case_id}.answer@${hostname}`,
    `DTSTAMP:${changed_at.replaceAll(/[-:]|\.\d+/g, '')}`,
    `SEQUENCE:${version}`,
    `DTSTART;VALUE=DATE:${basic(date)}`,
    `DTEND;VALUE=DATE:${basic(dayAfter(date))}`,
    `SUMMARY:${escaped(`Answer due · ${reference ?? user_case_id}`)}`,
    `URL:${publicUrl}/console/cases/${user_case_id}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

const basic = (date: string) => date.replaceAll('-', '');

/** A value of the type TEXT (RFC 5545 §3.3.11). */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n|\r|\n/g, '\\n');
}

/** A long line goes on after a line break and a space, and never in the middle of a character (RFC 5545 §3.1). */
function folded(line: string): string {
  const parts = [''];
  let room = maxLine;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (bytes > room) {
      parts.push('');
      room = maxLine - 1;
    }
    parts[parts.length - 1] += character;
    room -= bytes;
  }
  return parts.join('\r\n ');
}
