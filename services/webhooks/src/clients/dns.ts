import { Resolver } from 'node:dns/promises';

export type Resolve = (host: string) => Promise<readonly string[]>;

const tryMs = 1_000;
const tries = 2;

/** Queries the DNS itself: slow names would block the four threads of the system's resolver. */
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
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ENODATA' || code === 'ENOTFOUND';
}
