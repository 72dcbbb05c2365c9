import type { Principal } from '@casewatch/contracts';
import type { Clock, PrincipalSigner } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

/** Half the lifetime of a signed principal, ms: time for the request to arrive (architecture.md §4). */
const usedForMs = 30_000;
const max = 20_000;

/** Reuses the principal of a read for 30 s; a write's is signed for that call. */
export function cachedSigner(sign: PrincipalSigner, clock: Clock): PrincipalSigner {
  const signed = new LRUCache<string, { token: string; signedMs: number }>({ max });
  // A cached credential has the same principal each time: its number is a shorter key than its fields.
  const numbers = new WeakMap<Principal, number>();
  let count = 0;
  function numberOf(principal: Principal): number {
    const number = numbers.get(principal) ?? ++count;
    numbers.set(principal, number);
    return number;
  }
  return (caller, audience, write) => {
    if (write) return sign(caller, audience, write);
    const id = `${numberOf(caller.principal)} ${audience} ${caller.address}`;
    // By the clock that the principal has its times from: after a suspension, or a step either way, it is signed again.
    const nowMs = clock.now().getTime();
    const cached = signed.get(id);
    if (cached !== undefined && nowMs >= cached.signedMs && nowMs < cached.signedMs + usedForMs)
      return cached.token;
    const token = sign(caller, audience);
    signed.set(id, { token, signedMs: nowMs });
    return token;
  };
}
