import type { Principal } from '@casewatch/contracts';
import type { PrincipalSigner } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

/** Half the lifetime of a signed principal, ms: time for the request to arrive (architecture.md §4). */
const usedForMs = 30_000;
const max = 20_000;

/** Reuses the principal of a read for 30 s; a write's is signed for that call. */
export function cachedSigner(sign: PrincipalSigner): PrincipalSigner {
  const signed = new LRUCache<string, { token: string; until: number }>({ max });
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
    const now = performance.now();
    const cached = signed.get(id);
    if (cached !== undefined && cached.until > now) return cached.token;
    const token = sign(caller, audience);
    signed.set(id, { token, until: now + usedForMs });
    return token;
  };
}
