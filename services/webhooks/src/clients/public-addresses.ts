import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { judgeAddress } from '../domain/judge-address.ts';
import type { Networks } from '../domain/networks.ts';
import { isLoopbackHost } from '../domain/webhook-url.ts';
import type { Resolve } from './dns.ts';

/** The host cannot be called: an address of it is not public. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** The host has no address, or the DNS did not say in time. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

export type PublicAddresses = {
  /**
   * Finds and judges all addresses of a host: one bad address refuses all.
   * @param hostname as URL.hostname gives it
   * @throws BlockedAddressError, NameError
   */
  judge(hostname: string, deadlineMs: number): Promise<void>;
  /** For the socket: the addresses that were judged, never a look-up of its own. */
  readonly lookup: LookupFunction;
};

type Judged = { addresses: readonly string[]; at: number };
type Options = { resolve: Resolve; networks: Networks; allowLoopback: boolean; now: () => Date };

/** How long an answer of the DNS serves further attempts to the same host, ms; and how many hosts are remembered. */
const freshMs = 1_000;
const maxRemembered = 5_000;

/** Host names to addresses that may be called (webhooks.md, Delivery: SSRF). */
export function createPublicAddresses(options: Options): PublicAddresses {
  const { resolve, now } = options;
  const judged = new Map<string, Judged>();

  async function judge(hostname: string, deadlineMs: number): Promise<void> {
    const at = now().getTime();
    const known = judged.get(hostname);
    if (known && at - known.at < freshMs) return;
    const addresses = await addressesOf(hostname, resolve, deadlineMs);
    for (const address of addresses) refuseUnlessPublic(hostname, address, options);
    judged.delete(hostname); // The newest goes last, so that the oldest is dropped first.
    judged.set(hostname, { addresses, at });
    const [oldest] = judged.keys();
    if (judged.size > maxRemembered && oldest !== undefined) judged.delete(oldest);
  }

  return {
    judge,
    lookup(hostname, options, callback) {
      const found = (judged.get(hostname)?.addresses ?? [])
        .map((address) => ({ address, family: isIP(address) }))
        .filter(({ family }) => !options.family || family === familyNumber(options.family));
      const [first] = found;
      if (!first) callback(new NameError('the host was not judged'), []);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    },
  };
}

async function addressesOf(
  hostname: string,
  resolve: Resolve,
  deadlineMs: number,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1'); // URL.hostname keeps the brackets of an IPv6 address
  if (isIP(literal)) return [literal];
  if (isLoopbackHost(hostname)) return ['127.0.0.1', '::1'];
  const addresses = await inTime(resolve(hostname), deadlineMs);
  if (addresses.length === 0) throw new NameError('its host name has no address');
  return addresses;
}

function refuseUnlessPublic(hostname: string, address: string, { networks, allowLoopback }: Options): void {
  const judgement = judgeAddress(address, networks);
  if (judgement.kind === 'public') return;
  if (judgement.kind === 'refused') throw new BlockedAddressError(judgement.reason);
  // A public name that leads to this machine is refused even where loopback is allowed.
  if (!allowLoopback || !isLoopbackHost(hostname))
    throw new BlockedAddressError('its address is not public (loopback)');
}

async function inTime(answer: Promise<readonly string[]>, deadlineMs: number): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NameError('the DNS did not answer in time')), deadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    if (error instanceof NameError) throw error;
    throw new NameError('its host name could not be resolved', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function familyNumber(family: number | 'IPv4' | 'IPv6'): number {
  if (family === 'IPv4') return 4;
  return family === 'IPv6' ? 6 : family;
}
