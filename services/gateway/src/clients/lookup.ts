import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';

/** Time that an address stays cached, ms. */
const keptMs = 2_000;
const maxNames = 100;

/** Parallel lookups of one name share one answer: Node resolves names in only four threads. */
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
      (results) => {
        const [first] = results;
        if (all) callback(null, results);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true });
}
