/** A time limit of one request. `endsAt`: ms of `performance.now()`; `place`: in the list of watched limits. */
export type TimeLimit = { readonly endsAt: number; place: number; onTimeOver(): void };

const watched: TimeLimit[] = [];
let timer: NodeJS.Timeout | undefined;
/** ms of `performance.now()` */
let timerAt = Number.POSITIVE_INFINITY;

/**
 * One timer for all requests, set to the first end: almost no limit is reached, and a timer of its own takes more time than
 * the rest of the limit.
 */
export function watch(limit: TimeLimit): void {
  limit.place = watched.push(limit) - 1;
  setTimer(limit.endsAt);
}

/** After a change of `endsAt`. A limit that ends later needs nothing: the timer finds that out. */
export function watchAgain({ endsAt }: TimeLimit): void {
  setTimer(endsAt);
}

/** The last limit takes the place of this one. A limit can be unwatched twice. */
export function unwatch(limit: TimeLimit): void {
  if (watched[limit.place] !== limit) return;
  const last = watched.pop();
  if (last === undefined || last === limit) return;
  watched[limit.place] = last;
  last.place = limit.place;
}

function setTimer(endsAt: number): void {
  if (endsAt >= timerAt) return;
  clearTimeout(timer);
  timerAt = endsAt;
  timer = setTimeout(onTimer, endsAt - performance.now()).unref();
}

function onTimer(): void {
  timerAt = Number.POSITIVE_INFINITY;
  const now = performance.now();
  // Each end changes the list.
  for (const limit of watched.filter(({ endsAt }) => endsAt <= now)) limit.onTimeOver();
  let firstEnd = Number.POSITIVE_INFINITY;
  for (const { endsAt } of watched) firstEnd = Math.min(firstEnd, endsAt);
  setTimer(firstEnd);
}
