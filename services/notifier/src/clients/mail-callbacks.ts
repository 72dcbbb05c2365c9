import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Whether a mail provider signed these bytes, and not too long before `now`. */
export type MailCallbackVerifier = (
  bytes: Buffer,
  header: (name: string) => string | undefined,
  now: Date,
) => boolean;

/** SendGrid sends an event again for a day (Event Webhook, Requirements); ms. */
const longestAgeMs = 24 * 60 * 60 * 1000;
/** A clock of the provider may be ahead of ours by this, ms; as in Standard Webhooks. */
const clockSkewMs = 5 * 60 * 1000;

const prefix = 'x-twilio-email-event-webhook';

/** SendGrid signs the time (Unix seconds) and the body with ECDSA P-256; `publicKey` is SPKI in base64. */
export function sendgridVerifier(publicKey: string): MailCallbackVerifier {
  const key: KeyObject = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  return (bytes, header, now) => {
    const timestamp = header(`${prefix}-timestamp`) ?? '';
    const ageMs = now.getTime() - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN);
    // Also false for NaN.
    if (!(ageMs <= longestAgeMs && ageMs >= -clockSkewMs)) return false;
    const signed = Buffer.concat([Buffer.from(timestamp), bytes]);
    return verify('sha256', signed, key, Buffer.from(header(`${prefix}-signature`) ?? '', 'base64'));
  };
}

/** Resend signs as Standard Webhooks do, with other names of the headers; at most 5 minutes old. */
export function resendVerifier(secret: string): MailCallbackVerifier {
  const webhook = new Webhook(secret);
  return (bytes, header) => {
    const headers = Object.fromEntries(
      ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, header(`svix-${name}`) ?? '']),
    );
    try {
      webhook.verify(bytes.toString(), headers);
      return true;
    } catch {
      // The library throws for each signature that does not match.
      return false;
    }
  };
}
