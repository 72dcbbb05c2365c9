import ipaddr from 'ipaddr.js';
import { type NetworkVerdict, specialNetworks } from './special-networks.ts';

export type Networks = readonly NetworkRule[];
type NetworkRule = {
  address: Address;
  bits: number;
  verdict: NetworkVerdict;
  reason: string;
  isBuiltIn: boolean;
};
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Of equal networks, denied precedes allowed, and a setting precedes a special network. */
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
  return rules.toSorted((a, b) => b.bits - a.bits); // stable sort
}

/** Every address has a rule: the special networks include 0.0.0.0/0 and ::/0. */
export function ruleFor(address: Address, networks: Networks): NetworkRule | undefined {
  return networks.find(
    (rule) => rule.address.kind() === address.kind() && address.match(rule.address, rule.bits),
  );
}

/** An IPv4-mapped network becomes the IPv4 network. @throws Error for another text */
export function parseNetwork(text: string): { address: Address; bits: number } {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : single(ipaddr.parse(text));
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= mappedBits;
  return isMapped ? { address: address.toIPv4Address(), bits: bits - mappedBits } : { address, bits };
}

const mappedBits = 96;

function single(address: Address): [Address, number] {
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
