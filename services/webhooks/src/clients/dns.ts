import { Resolver } from 'node:dns/promises';
import { failureCode } from './failure-code.ts';

/** Every address of a host name, IPv4 and IPv6; empty where it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const tryMs = 1_000;
const tries = 2;

/**
 * Asks the DNS itself (c-ares), not the system's resolver: that one has four threads for the whole process, which a
 * few names that never answer would hold. Names are asked for as they stand: it knows no search domains.
 * @param servers addresses with ports; those of this machine without it
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: tryMs, tries });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected' && !isNone(answer.reason));
    // One family may be answered badly while the other is fine: only what was answered is called.
    if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason;
    return addresses;
  };
}

/** A name without addresses of one family is no failure. */
function isNone(error: unknown): boolean {
  const code = failureCode(error);
  return code === 'ENODATA' || code === 'ENOTFOUND';
}
