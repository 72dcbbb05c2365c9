import type { Macs, Pepper } from './macs.ts';

/** A network that an e-mail address signed in from, as keyed hashes: `place` of both together, `email` of the e-mail alone. */
export type KnownNetwork = { readonly place: string; readonly email: string };

export function knownNetworkOf(pepper: Pepper, emailLower: string, network: string): KnownNetwork {
  return {
    place: pepper.mac('sign-in-place', `${emailLower}\0${network}`).toString('base64url'),
    email: emailMac(pepper, emailLower),
  };
}

/** The hash of each pepper of the ring: a stored row may be of any of them. */
export function knownNetworkIds(macs: Macs, emailLower: string, network: string): string[] {
  return macs.ring.map((pepper) => knownNetworkOf(pepper, emailLower, network).place);
}

export function knownNetworkEmails(macs: Macs, emailLower: string): string[] {
  return macs.ring.map((pepper) => emailMac(pepper, emailLower));
}

function emailMac(pepper: Pepper, emailLower: string): string {
  return pepper.mac('sign-in-email', emailLower).toString('base64url');
}

export function callerNetworkMac(pepper: Pepper, network: string): string {
  return pepper.mac('caller-address', network).toString('base64url');
}

export function callerNetworkMacs(macs: Macs, network: string): string[] {
  return macs.ring.map((pepper) => callerNetworkMac(pepper, network));
}

/** What signs in, in hashes and limits: the same address can be a person's and a member's, and each has its own. */
export function signInName(purpose: 'person' | 'staff', emailLower: string): string {
  return purpose === 'person' ? emailLower : `staff\0${emailLower}`;
}
