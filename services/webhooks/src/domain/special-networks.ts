export type NetworkVerdict = 'public' | 'loopback' | 'refused';

type SpecialNetwork = { network: string; verdict: NetworkVerdict; reason: string };

/** IANA's special-purpose registries, multicast, cloud metadata. The network policies refuse the same IPv4 networks. */
export const specialNetworks: readonly SpecialNetwork[] = [
  open('0.0.0.0/0'),
  refused('0.0.0.0/8', 'unspecified'),
  refused('10.0.0.0/8', 'private'),
  refused('100.64.0.0/10', 'carrier-grade NAT'),
  { network: '127.0.0.0/8', verdict: 'loopback', reason: 'loopback' },
  refused('168.63.129.16/32', 'metadata of Azure'),
  refused('169.254.0.0/16', 'link-local'),
  refused('172.16.0.0/12', 'private'),
  refused('192.0.0.0/24', 'IETF protocols'),
  refused('192.0.2.0/24', 'documentation'),
  refused('192.31.196.0/24', 'AS112'),
  refused('192.52.193.0/24', 'AMT'),
  refused('192.88.99.0/24', '6to4 relays'),
  refused('192.168.0.0/16', 'private'),
  refused('192.175.48.0/24', 'AS112'),
  refused('198.18.0.0/15', 'benchmarks'),
  refused('198.51.100.0/24', 'documentation'),
  refused('203.0.113.0/24', 'documentation'),
  refused('224.0.0.0/4', 'multicast'),
  refused('240.0.0.0/4', 'reserved'),

  // Global unicast is 2000::/3 (RFC 4291). The rows below it give the reasons.
  refused('::/0', 'reserved'),
  open('2000::/3'),
  { network: '::1/128', verdict: 'loopback', reason: 'loopback' },
  refused('::/128', 'unspecified'),
  refused('2001::/23', 'IETF protocols'),
  refused('2001:db8::/32', 'documentation'),
  refused('2620:4f:8000::/48', 'AS112'),
  refused('3fff::/20', 'documentation'),
  refused('fc00::/7', 'unique local'),
  refused('fe80::/10', 'link-local'),
  refused('ff00::/8', 'multicast'),
];

function refused(network: string, reason: string): SpecialNetwork {
  return { network, verdict: 'refused', reason };
}

function open(network: string): SpecialNetwork {
  return { network, verdict: 'public', reason: 'public' };
}
