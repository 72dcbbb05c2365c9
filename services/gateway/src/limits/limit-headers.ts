import type { Response } from 'express';
import type { Verdict } from './limits.ts';
import { windowMs } from './sliding-window.ts';

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): `t` is when there is more room. */
export function tellLimit(res: Response, { policy, limit, remaining, moreInS }: Verdict): void {
  res.set('ratelimit-policy', `"${policy}";q=${limit};w=${windowMs / 1000}`);
  res.set('ratelimit', `"${policy}";r=${remaining};t=${moreInS}`);
}
