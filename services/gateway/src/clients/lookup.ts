import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { keptFor } from '@casewatch/platform';

/** A service's address in a cluster outlives its pods; elsewhere a new one is known after this, ms. */
const keptMs = 2_000;

/**
 * Names to addresses, for connections: those who ask for the same name at once share one answer. Node looks names up in
 * four threads; where all connections to a service are made anew together, they would wait for each other longer than a
 * connection may take.
 */
export function createLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]> = resolveAll,
): LookupFunction {
  const addressesOf = keptFor(keptMs, resolve);
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true });
}
