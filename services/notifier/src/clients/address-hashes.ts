import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { Channel } from '@casewatch/contracts';
import { deriveKey, type KeyRing } from '@casewatch/platform';

/** Keyed hashes of addresses: they outlive the user, and without the key they say nothing. */
export type AddressHashes = {
  current(channel: Channel, address: string): string;
  /** With each key of the ring. */
  all(channel: Channel, address: string): string[];
};

export function createAddressHashes(ring: KeyRing): AddressHashes {
  const keys = ring.map((secret) => deriveKey('suppressed addresses', secret));
  const hash = (key: Buffer, channel: Channel, address: string) =>
    createHmac('sha256', key)
      .update(`${channel}\0${spelled(address)}`)
      .digest('base64url');
  const current = deriveKey('suppressed addresses', ring[0]);
  return {
    current: (channel, address) => hash(current, channel, address),
    all: (channel, address) => keys.map((key) => hash(key, channel, address)),
  };
}

/** A provider may spell a domain in Unicode that the person wrote in punycode. A phone number has no domain. */
function spelled(address: string): string {
  const text = address.trim().toLowerCase();
  const at = text.lastIndexOf('@') + 1;
  return at === 0 ? text : text.slice(0, at) + (domainToASCII(text.slice(at)) || text.slice(at));
}
