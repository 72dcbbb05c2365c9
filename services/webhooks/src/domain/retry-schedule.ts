const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays between attempts, ms (webhooks.md, Delivery): eleven attempts in about 76 h. */
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

export const maxAttempts = delaysMs.length + 1;

/** Greatest extension by Retry-After, and shortest delay of an overloaded endpoint, ms. */
const maxExtensionMs = 2 * hour;
const overloadedMs = minute;
const overloaded = new Set(['timeout', 'http_429', 'http_502', 'http_503', 'http_504']);

type Failure = {
  attempts: number;
  error: string;
  retryAfterMs: number | null;
  scale: number;
  fraction: number;
};

/** Delay before the next attempt, ms, at least that of the schedule; null after the last attempt. */
export function nextDelayMs({ attempts, error, retryAfterMs, scale, fraction }: Failure): number | null {
  const base = delaysMs[attempts - 1];
  if (base === undefined) return null;
  const wait = overloaded.has(error) ? Math.max(base, overloadedMs) : base;
  const jittered = wait * (1 + 0.2 * fraction) * scale;
  return Math.ceil(Math.max(jittered, Math.min(retryAfterMs ?? 0, (base + maxExtensionMs) * scale)));
}
