/**
 * IANA's special-purpose address registries, every row: iana.org/assignments/iana-ipv4-special-registry and
 * iana-ipv6-special-registry. None of them is a place for a webhook, not even those that are globally reachable.
 */
export const specialIpv4 = [
  '0.0.0.0/8', // "This network", RFC 791
  '0.0.0.0/32', // "This host on this network", RFC 1122
  '10.0.0.0/8', // Private-Use, RFC 1918
  '100.64.0.0/10', // Shared Address Space, RFC 6598
  '127.0.0.0/8', // Loopback, RFC 1122
  '169.254.0.0/16', // Link Local, RFC 3927
  '172.16.0.0/12', // Private-Use, RFC 1918
  '192.0.0.0/24', // IETF Protocol Assignments, RFC 6890
  '192.0.0.0/29', // IPv4 Service Continuity Prefix, RFC 7335
  '192.0.0.8/32', // IPv4 dummy address, RFC 7600
  '192.0.0.9/32', // Port Control Protocol Anycast, RFC 7723
  '192.0.0.10/32', // Traversal Using Relays around NAT Anycast, RFC 8155
  '192.0.0.170/32', // NAT64/DNS64 Discovery, RFC 8880
  '192.0.0.171/32', // NAT64/DNS64 Discovery, RFC 8880
  '192.0.2.0/24', // Documentation (TEST-NET-1), RFC 5737
  '192.31.196.0/24', // AS112-v4, RFC 7535
  '192.52.193.0/24', // AMT, RFC 7450
  '192.88.99.0/24', // Deprecated (6to4 Relay Anycast), RFC 7526
  '192.168.0.0/16', // Private-Use, RFC 1918
  '192.175.48.0/24', // Direct Delegation AS112 Service, RFC 7534
  '198.18.0.0/15', // Benchmarking, RFC 2544
  '198.51.100.0/24', // Documentation (TEST-NET-2), RFC 5737
  '203.0.113.0/24', // Documentation (TEST-NET-3), RFC 5737
  '240.0.0.0/4', // Reserved, RFC 1112
  '255.255.255.255/32', // Limited Broadcast, RFC 8190
];

/** Not in that registry, but in others: multicast (RFC 5771), and Azure's own service address (Microsoft's documentation). */
export const furtherIpv4 = ['224.0.0.0/4', '168.63.129.16/32'];

export const specialIpv6 = [
  '::1/128', // Loopback, RFC 4291
  '::/128', // Unspecified, RFC 4291
  '::ffff:0:0/96', // IPv4-mapped, RFC 4291
  '64:ff9b::/96', // IPv4-IPv6 Translation, RFC 6052
  '64:ff9b:1::/48', // IPv4-IPv6 Translation, RFC 8215
  '100::/64', // Discard-Only, RFC 6666
  '100:0:0:1::/64', // Dummy IPv6 Prefix, RFC 9780
  '2001::/23', // IETF Protocol Assignments, RFC 2928
  '2001::/32', // Teredo, RFC 4380
  '2001:1::1/128', // Port Control Protocol Anycast, RFC 7723
  '2001:1::2/128', // Traversal Using Relays around NAT Anycast, RFC 8155
  '2001:1::3/128', // DNS-SD Service Registration Protocol Anycast, RFC 9665
  '2001:2::/48', // Benchmarking, RFC 5180
  '2001:3::/32', // AMT, RFC 7450
  '2001:4:112::/48', // AS112-v6, RFC 7535
  '2001:10::/28', // Deprecated (previously ORCHID), RFC 4843
  '2001:20::/28', // ORCHIDv2, RFC 7343
  '2001:30::/28', // Drone Remote ID Protocol Entity Tags, RFC 9374
  '2001:db8::/32', // Documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // Direct Delegation AS112 Service, RFC 7534
  '3fff::/20', // Documentation, RFC 9637
  '5f00::/16', // Segment Routing SIDs, RFC 9602
  'fc00::/7', // Unique-Local, RFC 4193
  'fe80::/10', // Link-Local Unicast, RFC 4291
];

/** Multicast (RFC 4291) and site-local (deprecated, RFC 3879). */
export const furtherIpv6 = ['ff00::/8', 'fec0::/10'];
