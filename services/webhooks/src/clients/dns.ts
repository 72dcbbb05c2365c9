import { Resolver } from 'node:dns/promises';
import { failureCode } from './failure-code.ts';

/** All IPv4 and IPv6 addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const tryMs = 1_000;
const tries = 2;

/**
 * Queries the DNS (c-ares) without search domains. The system's resolver has only four threads per process, and slow
 * names would block them.
 * @param servers addresses with ports; default: those of this machine
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: tryMs, tries });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected' && !hasNoAddress(answer.reason));
    // A failure of one address family is ignored if the other has addresses.
    if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason;
    return addresses;
  };
}

function hasNoAddress(error: unknown): boolean {
  const code = failureCode(error);
  return code === 'ENODATA' || code === 'ENOTFOUND';
}
