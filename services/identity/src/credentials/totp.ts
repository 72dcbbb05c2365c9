import { Secret, TOTP } from 'otpauth';

// The second factor's codes (RFC 6238), as every authenticator app makes them: SHA-1, six digits, 30 seconds. The only file that knows
// the library.

/** 160 bits: the length that RFC 4226 §4 recommends. */
const keyBytes = 20;
/** Steps of 30 s before and after the present one: clocks differ, and people type (RFC 6238 §5.2). */
const window = 1;

/** A new key, in base32. */
export function newTotpKey(): string {
  return new Secret({ size: keyBytes }).base32;
}

/** The address that authenticator apps open, and that a QR code has. `account`: how the app names it. */
export function totpUri(key: string, { issuer, account }: { issuer: string; account: string }): string {
  return new TOTP({ secret: key, issuer, label: account }).toString();
}

/** Number of the 30-second step (since 1970) whose code this is; null: not of the present step or one beside it. */
export function totpStep(key: string, code: string, now: Date): number | null {
  const totp = new TOTP({ secret: key });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
