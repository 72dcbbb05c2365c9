import type { Macs, Pepper } from './macs.ts';

/** Keyed hashes: `place` of e-mail and network together, `email` of the e-mail alone. */
export type PlaceMacs = { readonly place: string; readonly email: string };

/** The stored form of "as this e-mail address, from this network". */
export function signInPlaceOf(pepper: Pepper, emailLower: string, network: string): PlaceMacs {
  return {
    place: pepper.of('sign-in-place', `${emailLower}\0${network}`).toString('base64url'),
    email: emailMacOf(pepper, emailLower),
  };
}

/** Every form in which that may be stored: one for each pepper of the ring. */
export function signInPlacesOf(macs: Macs, emailLower: string, network: string): string[] {
  return macs.ring.map((pepper) => signInPlaceOf(pepper, emailLower, network).place);
}

/** By which the places of one e-mail address are found, to erase them, whichever pepper of the ring was the current one. */
export function signInEmailsOf(macs: Macs, emailLower: string): string[] {
  return macs.ring.map((pepper) => emailMacOf(pepper, emailLower));
}

function emailMacOf(pepper: Pepper, emailLower: string): string {
  return pepper.of('sign-in-email', emailLower).toString('base64url');
}
