import type { Channel } from '@casewatch/contracts';

export type UnsubscribeLink = { userId: number; channel: Channel };

type Signatures = {
  sign(text: string): Uint8Array;
  verify(text: string, signature: Uint8Array): boolean;
};

/** `<user>.<channel>.<signature>` with the signature in base64url. It does not expire (notifier.md, Content). */
export function unsubscribeToken(signatures: Signatures, userId: number, channel: Channel): string {
  const signed = `${userId}.${channel}`;
  return `${signed}.${Buffer.from(signatures.sign(signed)).toString('base64url')}`;
}

export function readUnsubscribeToken(signatures: Signatures, token: string): UnsubscribeLink | null {
  // A user's id (at most 2^53 - 1), a channel, and 16 bytes in base64url without padding.
  const parts = /^([1-9]\d{0,15})\.(email|whatsapp)\.([\w-]{22})$/.exec(token);
  if (!parts) return null;
  const link = { userId: Number(parts[1]), channel: parts[2] as Channel };
  if (!Number.isSafeInteger(link.userId)) return null;
  const signed = `${link.userId}.${link.channel}`;
  return isSignatureOf(signatures, signed, parts[3] ?? '') ? link : null;
}

/** `staff.<member>.<signature>`. Members and users have the same ids: neither's token is one of the other. */
export function alertsOffToken(signatures: Signatures, staffId: number): string {
  const signed = `staff.${staffId}`;
  return `${signed}.${Buffer.from(signatures.sign(signed)).toString('base64url')}`;
}

/** The id of the member. */
export function readAlertsOffToken(signatures: Signatures, token: string): number | null {
  const parts = /^staff\.([1-9]\d{0,15})\.([\w-]{22})$/.exec(token);
  const id = Number(parts?.[1]);
  if (!parts || !Number.isSafeInteger(id)) return null;
  return isSignatureOf(signatures, `staff.${id}`, parts[2] ?? '') ? id : null;
}

/** 22 letters hold four bits more than 16 bytes; only one spelling is accepted. */
function isSignatureOf(signatures: Signatures, signed: string, text: string): boolean {
  const signature = Buffer.from(text, 'base64url');
  return signature.toString('base64url') === text && signatures.verify(signed, signature);
}

/** By which mail programs show a button, RFC 2369 and RFC 8058 §3.1. @param url a POST to it switches the mails off */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
