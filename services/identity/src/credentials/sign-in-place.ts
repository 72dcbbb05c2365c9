import type { Macs, Pepper } from './macs.ts';

/** Keyed hashes: `place` of e-mail and network together, `email` of the e-mail alone. */
export type KnownNetwork = { readonly place: string; readonly email: string };

/** The stored form of "as this e-mail address, from this network". */
export function knownNetworkOf(pepper: Pepper, emailLower: string, network: string): KnownNetwork {
  return {
    place: pepper.mac('sign-in-place', `${emailLower}\0${network}`).toString('base64url'),
    email: emailMacOf(pepper, emailLower),
  };
}

/** Every form in which that may be stored: one for each pepper of the ring. */
export function knownNetworkIds(macs: Macs, emailLower: string, network: string): string[] {
  return macs.ring.map((pepper) => knownNetworkOf(pepper, emailLower, network).place);
}

/** By which the places of one e-mail address are found, to erase them, whichever pepper of the ring was the current one. */
export function knownNetworkEmails(macs: Macs, emailLower: string): string[] {
  return macs.ring.map((pepper) => emailMacOf(pepper, emailLower));
}

function emailMacOf(pepper: Pepper, emailLower: string): string {
  return pepper.mac('sign-in-email', emailLower).toString('base64url');
}
