import type { Macs, Pepper } from './macs.ts';

/** The stored form of the network that asked for a code. */
export function callerNetworkMac(pepper: Pepper, network: string): string {
  return pepper.mac('caller-address', network).toString('base64url');
}

/** Every form in which it may be stored: one for each pepper of the ring. */
export function callerNetworkMacs(macs: Macs, network: string): string[] {
  return macs.ring.map((pepper) => callerNetworkMac(pepper, network));
}
