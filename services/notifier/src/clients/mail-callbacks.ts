import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Whether a mail provider signed these bytes. */
export type MailCallbackVerifier = (bytes: Buffer, header: (name: string) => string | undefined) => boolean;

const prefix = 'x-twilio-email-event-webhook';

/** SendGrid signs time and body with ECDSA P-256; `publicKey` is SPKI in base64. */
export function sendgridVerifier(publicKey: string): MailCallbackVerifier {
  const key: KeyObject = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  return (bytes, header) => {
    const signed = Buffer.concat([Buffer.from(header(`${prefix}-timestamp`) ?? ''), bytes]);
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
