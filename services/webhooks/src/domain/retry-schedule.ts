const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays after the first, second … failed attempt, ms (webhooks.md, Delivery): eleven attempts in about 76 h. */
const delaysMs = [
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The first attempt and one after each delay. */
export const maxAttempts = delaysMs.length + 1;

/** Longest that Retry-After may stretch a delay, and the shortest wait of an endpoint that is overloaded. */
const stretchMs = 2 * hour;
const overloadedMs = minute;
const overloaded = new Set(['timeout', 'http_429', 'http_502', 'http_503', 'http_504']);

type Failure = {
  /** Attempts made so far, this one included. */
  attempts: number;
  error: string;
  /** What the endpoint asked for, ms; null where it did not. */
  retryAfterMs: number | null;
  /** WEBHOOKS_RETRY_SCALE: every wait of ours is multiplied by it. */
  scale: number;
  /** 0 to 1, chooses the jitter. */
  fraction: number;
};

/** How long to wait for the next attempt, ms, never less than the schedule says; null when there is none. */
export function nextDelayMs({ attempts, error, retryAfterMs, scale, fraction }: Failure): number | null {
  const base = delaysMs[attempts - 1];
  if (base === undefined) return null;
  const wait = overloaded.has(error) ? Math.max(base, overloadedMs) : base;
  const jittered = wait * (1 + 0.2 * fraction) * scale;
  return Math.ceil(Math.max(jittered, Math.min(retryAfterMs ?? 0, (base + stretchMs) * scale)));
}

/** Retry-After as ms from now: seconds or an HTTP date (RFC 9110 §10.2.3); null if absent, unreadable or past. */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const at = Date.parse(value);
  return Number.isNaN(at) || at <= now.getTime() ? null : at - now.getTime();
}
