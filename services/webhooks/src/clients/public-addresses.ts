import { isIP, type LookupFunction } from 'node:net';
import { judgeAddress } from '../domain/judge-address.ts';
import type { Networks } from '../domain/networks.ts';
import { isLoopbackHost } from '../domain/webhook-url.ts';
import type { Resolve } from './dns.ts';

export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

export class NameError extends Error {
  override readonly name = 'NameError';
}

export type PublicAddresses = {
  /** Resolves a host. @throws BlockedAddressError if one of its addresses is not public; NameError */
  judgeHost(hostname: string, deadlineMs: number): Promise<void>;
  /** Returns judged addresses to the socket, so that it does not resolve the name again. */
  readonly lookup: LookupFunction;
};

type Judged = { addresses: readonly string[]; at: number };
type Options = { resolve: Resolve; networks: Networks; allowLoopback: boolean; now: () => Date };

const cacheMs = 1_000;
const maxHosts = 5_000;

/** Protection against SSRF (webhooks.md, Delivery). */
export function createPublicAddresses(options: Options): PublicAddresses {
  const { resolve, now } = options;
  const judged = new Map<string, Judged>();

  async function judgeHost(hostname: string, deadlineMs: number): Promise<void> {
    const at = now().getTime();
    const cached = judged.get(hostname);
    if (cached && at - cached.at < cacheMs) return;
    const addresses = await addressesOf(hostname, resolve, deadlineMs);
    for (const address of addresses) refuseUnlessPublic(hostname, address, options);
    judged.delete(hostname); // The order of the map is the order of age.
    judged.set(hostname, { addresses, at });
    const [oldest] = judged.keys();
    if (judged.size > maxHosts && oldest !== undefined) judged.delete(oldest);
  }

  return {
    judgeHost,
    lookup(hostname, options, callback) {
      const addresses = (judged.get(hostname)?.addresses ?? [])
        .map((address) => ({ address, family: isIP(address) }))
        .filter(({ family }) => !options.family || family === familyNumber(options.family));
      const [first] = addresses;
      if (!first) callback(new NameError('the host was not judged'), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
  };
}

async function addressesOf(
  hostname: string,
  resolve: Resolve,
  deadlineMs: number,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal)) return [literal];
  if (isLoopbackHost(hostname)) return ['127.0.0.1', '::1'];
  const addresses = await inTime(resolve(hostname), deadlineMs);
  if (addresses.length === 0) throw new NameError('the host name has no address');
  return addresses;
}

function refuseUnlessPublic(hostname: string, address: string, { networks, allowLoopback }: Options): void {
  const judgement = judgeAddress(address, networks);
  if (judgement.kind === 'public') return;
  if (judgement.kind === 'refused') throw new BlockedAddressError(judgement.reason);
  // A public name that resolves to this machine is refused even if loopback is allowed.
  if (!allowLoopback || !isLoopbackHost(hostname))
    throw new BlockedAddressError('its address is not public (loopback)');
}

async function inTime(answer: Promise<readonly string[]>, deadlineMs: number): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NameError('the name server did not answer in time')), deadlineMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } catch (error) {
    if (error instanceof NameError) throw error;
    throw new NameError('the name server answered with an error', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function familyNumber(family: number | 'IPv4' | 'IPv6'): number {
  if (family === 'IPv4') return 4;
  return family === 'IPv6' ? 6 : family;
}
