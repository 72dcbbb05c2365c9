export type Bucket = { tokens: number; at: number };

export function fullBucket(ratePerSecond: number, now: number): Bucket {
  return { tokens: ratePerSecond, at: now };
}

/** Takes a token, or returns the time until the next one, ms (webhooks.md: rate_limit). */
export function takeToken(
  bucket: Bucket,
  ratePerSecond: number,
  now: number,
): { bucket: Bucket; waitMs: number } {
  const refilled = bucket.tokens + ((now - bucket.at) * ratePerSecond) / 1_000;
  const tokens = Math.min(ratePerSecond, refilled);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, at: now }, waitMs: 0 };
  return { bucket: { tokens, at: now }, waitMs: Math.ceil(((1 - tokens) * 1_000) / ratePerSecond) };
}
