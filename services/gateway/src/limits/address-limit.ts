import { networkOf, siteOf } from '@casewatch/platform';
import type { Limits, Verdict } from './limits.ts';

/** What an IPv6 /48 may do, of what one /64 may: it has 65,536 of them, and is often one owner's. */
const networksOfSite = 16;

/** The limit of those who are known by their network address alone. */
export type AddressLimit = {
  /** What the address is counted as. */
  readonly network: string;
  /** As things stand, counting nothing. */
  look(): Verdict;
  /** Counts one request, if there is room for it. */
  take(): Promise<Verdict>;
};

/** The limit of an address: of its network, and of the site that the network is part of. @param of what is counted apart */
export function addressLimit(limits: Limits, address: string, of = ''): AddressLimit {
  const network = networkOf(address);
  const site = siteOf(address);
  const hasSite = site !== network;

  function look(): Verdict {
    const own = limits.look('address', of + network);
    if (!hasSite || !own.isAllowed) return own;
    const whole = limits.look('address', of + site, networksOfSite);
    return whole.isAllowed ? own : whole;
  }

  return {
    network,
    look,
    async take() {
      const seen = look();
      if (!seen.isAllowed) return seen;
      const whole = hasSite ? await limits.take('address', of + site, networksOfSite) : seen;
      return whole.isAllowed ? await limits.take('address', of + network) : whole;
    },
  };
}
