import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

/** The stored row that a link stands for: this address of this user. */
type Subject = { readonly _id: string; readonly user_id: number; readonly email_lower: string };

/** `<id>.<HMAC>`: follows from the row and the pepper, so a mail can be made again and nothing secret is stored. */
export function verificationTokenOf(row: Subject, pepper: Pepper): string {
  const mac = pepper.mac('verify-email', `${row._id}\0${row.user_id}\0${row.email_lower}`);
  return `${row._id}.${mac.toString('base64url')}`;
}

/** The row that a token claims to be for; null where it is no token at all. */
export function rowIdOfToken(token: string): string | null {
  const dot = token.indexOf('.');
  return dot > 0 ? token.slice(0, dot) : null;
}

export function isTokenOf(row: Subject, token: string, macs: Macs): boolean {
  return findMatchingPepper(macs, token, (pepper) => verificationTokenOf(row, pepper)) !== undefined;
}
