import type { Context } from '../context.ts';

/** Duration of a claim, ms: the delivery of a killed process is attempted again after it. */
export const leaseMs = 8_000;
const renewMs = 2_000;

type Claim = {
  id: string;
  claim: string;
  /** `performance.now()` before the claim. */
  claimedAt: number;
};

/**
 * Renews a claim during an attempt. `lost` aborts when another replica may own the claim. Times are measured from before
 * each renewal, so this process stops before another one begins.
 */
export function keepClaim(
  ctx: Context,
  { id, claim, claimedAt }: Claim,
): { lost: AbortSignal; release(): void } {
  const lost = new AbortController();
  let expiry = abortAt(claimedAt + leaseMs);
  let isReleased = false;

  function abortAt(time: number): NodeJS.Timeout {
    return setTimeout(() => lost.abort(), time - performance.now());
  }

  async function renew(): Promise<void> {
    const sentAt = performance.now();
    const isRenewed = await ctx.stores.deliveries.renew(id, claim, leaseMs);
    clearTimeout(expiry);
    if (!isRenewed) lost.abort();
    else if (!isReleased) expiry = abortAt(sentAt + leaseMs);
  }

  const renewals = setInterval(() => {
    renew().catch((error: unknown) =>
      ctx.log.warn({ delivery: id, err: error }, 'claim of a delivery not renewed'),
    );
  }, renewMs);
  return {
    lost: lost.signal,
    release() {
      isReleased = true;
      clearInterval(renewals);
      clearTimeout(expiry);
    },
  };
}
