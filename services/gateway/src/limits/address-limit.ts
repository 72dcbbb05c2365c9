import { networkOf, siteOf } from '@casewatch/platform';
import type { Limits, Verdict } from './limits.ts';

/** An IPv6 /48 has 65,536 networks (/64) and often one owner: it gets 16 times the limit of one. */
const networksOfSite = 16;

export type AddressLimit = {
  readonly network: string;
  look(): Verdict;
  take(): Promise<Verdict>;
};

/** @param of prefix of a separate count */
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
