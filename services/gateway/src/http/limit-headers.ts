import { windowMs } from '../domain/sliding-window.ts';
import type { Verdict } from '../limits/limits.ts';

/** draft-ietf-httpapi-ratelimit-headers-10; `t`: seconds until there is more room. */
export function limitHeaders({ policy, limit, remaining, retryAfterS }: Verdict): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowMs / 1000}`,
    ratelimit: `"${policy}";r=${remaining};t=${retryAfterS}`,
  };
}
