import ipaddr from 'ipaddr.js';
import { type NetworkVerdict, specialNetworks } from './special-networks.ts';

/** Networks with their verdicts, the smallest first: the first that holds an address decides. */
export type Networks = readonly NetworkRule[];
type NetworkRule = {
  address: Address;
  bits: number;
  verdict: NetworkVerdict;
  reason: string;
  isBuiltIn: boolean;
};
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The special networks, and those of the settings: the most specific decides. Of two alike a denied one beats an
 * allowed one, and a setting beats the special network.
 * @param settings networks such as 203.0.113.0/24, or single addresses
 */
export function networksFrom(
  settings: { denied?: readonly string[]; allowed?: readonly string[] } = {},
): Networks {
  const setting = (verdict: NetworkVerdict, reason: string) => (text: string) => {
    return { ...parseNetwork(text), verdict, reason, isBuiltIn: false };
  };
  const rules = [
    ...(settings.denied ?? []).map(setting('refused', 'denied')),
    ...(settings.allowed ?? []).map(setting('public', 'allowed')),
    ...specialNetworks.map(({ network, ...row }) => ({ ...parseNetwork(network), ...row, isBuiltIn: true })),
  ];
  return rules.toSorted((one, other) => other.bits - one.bits); // stable: the order above decides between equals
}

/** The rule for an address: every address has one, as the special networks begin with 0.0.0.0/0 and ::/0. */
export function ruleFor(address: Address, networks: Networks): NetworkRule | undefined {
  return networks.find(
    (rule) => rule.address.kind() === address.kind() && address.match(rule.address, rule.bits),
  );
}

/** A network in either notation; an IPv4-mapped one is the IPv4 network it stands for. @throws Error on other text */
export function parseNetwork(text: string): { address: Address; bits: number } {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : single(ipaddr.parse(text));
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= mappedBits;
  return isMapped ? { address: address.toIPv4Address(), bits: bits - mappedBits } : { address, bits };
}

const mappedBits = 96;

function single(address: Address): [Address, number] {
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
