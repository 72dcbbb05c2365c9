import type { PrincipalSigner } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

/** Half of what a signed principal lives, so that one from here has time to arrive, ms (architecture.md §4). */
const usedForMs = 30_000;
const max = 20_000;

/** Signs reads' principals once per credential, address and audience for 30 s; a write's is for that call alone. */
export function cachedSigner(sign: PrincipalSigner): PrincipalSigner {
  const signed = new LRUCache<string, string>({ max, ttl: usedForMs });
  return (caller, audience, write) => {
    if (write) return sign(caller, audience, write);
    const id = JSON.stringify([audience, caller.address, caller.principal]);
    const known = signed.get(id);
    if (known !== undefined) return known;
    const made = sign(caller, audience);
    signed.set(id, made);
    return made;
  };
}
