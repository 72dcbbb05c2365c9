import type { Context } from '../context.ts';

/**
 * How long a claim outlives the last sign of life of its holder, ms: what a killed process was sending is attempted
 * again after it. Renewed every `renewMs` while the attempt runs, which may take longer.
 */
export const leaseMs = 8_000;
const renewMs = 2_000;

type Claim = {
  id: string;
  claim: string;
  /** `performance.now()` from before the claim was asked for. */
  claimedAt: number;
};

/**
 * Keeps a claim while its holder lives. `lost` aborts where it is somebody else's, or could be: the holder judges its
 * time by its own monotonic clock, from before each renewal was sent, and so ends before anybody else begins.
 */
export function keepClaim(
  ctx: Context,
  { id, claim, claimedAt }: Claim,
): { lost: AbortSignal; release(): void } {
  const lost = new AbortController();
  let end = endsAt(claimedAt + leaseMs);
  let isReleased = false;

  function endsAt(time: number): NodeJS.Timeout {
    return setTimeout(() => lost.abort(), time - performance.now());
  }

  async function renew(): Promise<void> {
    const sentAt = performance.now();
    const isOurs = await ctx.stores.deliveries.renew(id, claim, leaseMs);
    clearTimeout(end);
    if (!isOurs) lost.abort();
    else if (!isReleased) end = endsAt(sentAt + leaseMs);
  }

  const renewals = setInterval(() => {
    renew().catch((error: unknown) => {
      // Tried again in a moment; the claim ends by itself where that fails too.
      ctx.log.warn({ delivery: id, err: error }, 'claim not renewed');
    });
  }, renewMs);
  return {
    lost: lost.signal,
    release() {
      isReleased = true;
      clearInterval(renewals);
      clearTimeout(end);
    },
  };
}
