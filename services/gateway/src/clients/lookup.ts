import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';

/** A service's address in a cluster outlives its pods; elsewhere a new one is known after this, ms. */
const keptMs = 2_000;
/** More than there are services. */
const maxNames = 100;

/**
 * Names to addresses, for connections: those who ask for the same name at once share one answer. Node looks names up in
 * four threads; where all connections to a service are made anew together, they would wait for each other longer than a
 * connection may take.
 */
export function createLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]> = resolveAll,
): LookupFunction {
  const addresses = new LRUCache<string, LookupAddress[]>({
    max: maxNames,
    ttl: keptMs,
    fetchMethod: (hostname) => resolve(hostname),
  });
  return (hostname, { all }, callback) => {
    addresses.forceFetch(hostname).then(
      (found) => {
        const [first] = found;
        if (all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true });
}
