/** A time limit of one request. `endsAt`: ms of `performance.now()`; it may change. `place`: in the list of watched limits. */
export type TimeLimit = { readonly endsAt: number; place: number; onTimeOver(): void };

/** Interval of the check, ms: a limit ends at most this much later. */
const checkMs = 10;

const watched: TimeLimit[] = [];
let timer: NodeJS.Timeout | undefined;

/** One timer for all requests: almost no limit is reached, and a timer of its own takes more time than all else of the limit. */
export function watch(limit: TimeLimit): void {
  limit.place = watched.push(limit) - 1;
  timer ??= setInterval(check, checkMs);
}

/** The last limit takes the place of this one. A limit can be unwatched twice. */
export function unwatch(limit: TimeLimit): void {
  if (watched[limit.place] !== limit) return;
  const last = watched.pop();
  if (last === undefined || last === limit) return;
  watched[limit.place] = last;
  last.place = limit.place;
}

/** The timer stops when there is nothing left to watch: an idle gateway does not wake up. */
function check(): void {
  const now = performance.now();
  // Ends change the list.
  for (const limit of watched.filter(({ endsAt }) => endsAt <= now)) limit.onTimeOver();
  if (watched.length > 0) return;
  clearInterval(timer);
  timer = undefined;
}
