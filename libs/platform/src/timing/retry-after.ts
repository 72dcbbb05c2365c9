const secondMs = 1_000;

/** Retry-After in ms from now (RFC 9110 §10.2.3); null if absent, invalid or past. */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * secondMs;
  const at = Date.parse(value);
  return Number.isNaN(at) || at <= now.getTime() ? null : at - now.getTime();
}
