/** A time limit of one request. `endsAt`: ms of `performance.now()`; it may change. */
export type TimeLimit = { readonly endsAt: number; onTimeOver(): void };

/** Interval of the check, ms: a limit ends at most this much later. */
const checkMs = 20;

const watched = new Set<TimeLimit>();
let timer: NodeJS.Timeout | undefined;

/** One timer for all requests: almost no limit is reached, and a timer of its own takes more time than all else of the limit. */
export function watch(limit: TimeLimit): void {
  watched.add(limit);
  timer ??= setInterval(check, checkMs);
}

export function unwatch(limit: TimeLimit): void {
  watched.delete(limit);
}

/** The timer stops when there is nothing left to watch: an idle gateway does not wake up. */
function check(): void {
  const now = performance.now();
  for (const limit of watched) if (limit.endsAt <= now) limit.onTimeOver();
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
