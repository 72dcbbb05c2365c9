import type { PlaceMacs } from '../store/sign-in-places.ts';
import type { Macs } from './macs.ts';

/** The stored form of "as this e-mail address, from this network". */
export function signInPlaceOf(macs: Macs, emailLower: string, network: string): PlaceMacs {
  return {
    place: macs.of('sign-in-place', `${emailLower}\0${network}`).toString('base64url'),
    email: signInEmailOf(macs, emailLower),
  };
}

/** By which the places of one e-mail address are found, to erase them. */
export function signInEmailOf(macs: Macs, emailLower: string): string {
  return macs.of('sign-in-email', emailLower).toString('base64url');
}
