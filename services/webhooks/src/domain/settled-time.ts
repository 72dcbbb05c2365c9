/** Another transaction, which lives 5 s, can still write an event before this age, ms (webhooks.md, Events). */
const settledAfterMs = 7_000;

/** Events before this time are all stored. `now`: the database's time. */
export function settledBefore(now: Date): Date {
  return new Date(now.getTime() - settledAfterMs);
}
