import { runPython } from '@casewatch/testing';

const program = `
import json, sys
from icalendar import Calendar
def entry(event):
    begin, end = event.decoded("DTSTART"), event.decoded("DTEND")
    return {
        "uid": str(event["UID"]),
        "sequence": event.get("SEQUENCE"),
        "begins": [type(begin).__name__, begin.isoformat()],
        "ends": [type(end).__name__, end.isoformat()],
        "stamped": event.decoded("DTSTAMP").isoformat(),
        "summary": str(event["SUMMARY"]),
        "url": event.get("URL") and str(event["URL"]),
    }
def read(text):
    [calendar] = Calendar.from_ical(text.encode("utf-8"), multiple=True)
    parts = calendar.walk()
    return {
        "version": str(calendar["VERSION"]),
        "errors": [str(error) for part in parts for error in part.errors],
        "entries": [entry(event) for event in calendar.walk("VEVENT")],
    }
print(json.dumps([read(text) for text in json.load(open(sys.argv[1]))]))
`;

/** An entry of a calendar. `begins`, `ends`: the type in Python, and the value. */
type Entry = {
  uid: string;
  sequence: number | null;
  begins: [string, string];
  ends: [string, string];
  stamped: string;
  summary: string;
  url: string | null;
};

type Calendar = { version: string; errors: string[]; entries: Entry[] };

/** Each calendar as the icalendar of PyPI reads it. Null where it cannot be installed. */
export async function readCalendars(calendars: readonly string[]): Promise<Calendar[] | null> {
  return await runPython<Calendar[]>({ distribution: 'icalendar==7.3.2', program, input: calendars });
}
