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
  const signature = Buffer.from(parts[3] ?? '', 'base64url');
  // 22 letters hold four bits more than 16 bytes; only one spelling is accepted.
  const isCanonical = signature.toString('base64url') === parts[3];
  return isCanonical && signatures.verify(`${link.userId}.${link.channel}`, signature) ? link : null;
}
