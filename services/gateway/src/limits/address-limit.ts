import { networkOf, siteOf } from '@casewatch/platform';
import type { Limits, Verdict } from './limits.ts';

/** An IPv6 /48 has 65,536 networks (/64) and often one owner: it gets 16 times the limit of one. */
const networksOfSite = 16;

export type AddressLimit = {
  readonly network: string;
  peek(): Verdict;
  take(): Promise<Verdict>;
  /** Counts a request that is refused anyway, if there is room. */
  countRefused(): Verdict;
  /** As in `Limits`. */
  hold(): () => void;
};

/** @param of prefix of a separate count */
export function addressLimit(limits: Limits, address: string, of = ''): AddressLimit {
  const network = networkOf(address);
  const site = siteOf(address);
  const hasSite = site !== network;

  function peek(): Verdict {
    const networkVerdict = limits.peek('address', of + network);
    if (!hasSite || !networkVerdict.isAllowed) return networkVerdict;
    const siteVerdict = limits.peek('address', of + site, networksOfSite);
    return siteVerdict.isAllowed ? networkVerdict : siteVerdict;
  }

  return {
    network,
    peek,
    async take() {
      const current = peek();
      if (!current.isAllowed) return current;
      const siteVerdict = hasSite ? await limits.take('address', of + site, networksOfSite) : current;
      return siteVerdict.isAllowed ? await limits.take('address', of + network) : siteVerdict;
    },
    countRefused() {
      const current = peek();
      if (!current.isAllowed) return current;
      if (hasSite) limits.countRefused('address', of + site, networksOfSite);
      return limits.countRefused('address', of + network);
    },
    hold() {
      const giveBack = limits.hold('address', of + network);
      if (!hasSite) return giveBack;
      const giveBackToSite = limits.hold('address', of + site);
      return () => {
        giveBack();
        giveBackToSite();
      };
    },
  };
}
