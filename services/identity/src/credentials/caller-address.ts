import type { Macs, Pepper } from './macs.ts';

/** The stored form of the network that asked for a code. */
export function callerAddressOf(pepper: Pepper, network: string): string {
  return pepper.of('caller-address', network).toString('base64url');
}

/** Every form in which it may be stored: one for each pepper of the ring. */
export function callerAddressesOf(macs: Macs, network: string): string[] {
  return macs.ring.map((pepper) => callerAddressOf(pepper, network));
}
