import type { Channel } from '@casewatch/contracts';

/** Whom an unsubscribe link is about, and what it switches off. */
export type UnsubscribeLink = { userId: number; channel: Channel };

/** Signs and verifies with 16 bytes. */
type Signatures = {
  sign(text: string): Uint8Array;
  verify(text: string, signature: Uint8Array): boolean;
};

/**
 * `<user>.<channel>.<signature>`, the signature over user and channel in base64url. It does not expire and is good for
 * nothing else (notifier.md, Content).
 */
export function unsubscribeToken(signatures: Signatures, userId: number, channel: Channel): string {
  const about = `${userId}.${channel}`;
  return `${about}.${Buffer.from(signatures.sign(about)).toString('base64url')}`;
}

/** What a token says, if it is one of ours to the letter. Null: it is not. */
export function readUnsubscribeToken(signatures: Signatures, token: string): UnsubscribeLink | null {
  // A user's id (at most 2^53 - 1), a channel, and 16 bytes in base64url without padding.
  const parts = /^([1-9]\d{0,15})\.(email|whatsapp)\.([\w-]{22})$/.exec(token);
  if (!parts) return null;
  const link = { userId: Number(parts[1]), channel: parts[2] as Channel };
  if (!Number.isSafeInteger(link.userId)) return null;
  const signature = Buffer.from(parts[3] ?? '', 'base64url');
  // 22 letters hold four bits more than 16 bytes, and a token has one spelling.
  const isSpeltSo = signature.toString('base64url') === parts[3];
  return isSpeltSo && signatures.verify(`${link.userId}.${link.channel}`, signature) ? link : null;
}
