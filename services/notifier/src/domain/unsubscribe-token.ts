import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Channel } from '@casewatch/contracts';

/** Whom an unsubscribe link is about, and what it switches off. */
export type UnsubscribeLink = { userId: number; channel: Channel };

/**
 * `<user>.<channel>.<signature>`: HMAC-SHA-256 over user, channel and purpose, cut to 128 bits so that the link stays
 * short. It does not expire and is good for nothing else (notifier.md, Content).
 */
export function unsubscribeToken(key: string, userId: number, channel: Channel): string {
  const about = `${userId}.${channel}`;
  const signature = createHmac('sha256', key).update(`unsubscribe.${about}`).digest().subarray(0, 16);
  return `${about}.${signature.toString('base64url')}`;
}

/** What a token says, if it is one of ours to the letter; compared in constant time. Null: it is not. */
export function readUnsubscribeToken(key: string, token: string): UnsubscribeLink | null {
  // A user's id (at most 2^53 - 1), a channel, and 16 bytes in base64url without padding.
  const parts = /^([1-9]\d{0,15})\.(email|whatsapp)\.[\w-]{22}$/.exec(token);
  const link = { userId: Number(parts?.[1]), channel: parts?.[2] as Channel };
  if (!parts || !Number.isSafeInteger(link.userId)) return null;
  // The letters are compared, not the bytes: 22 letters hold four bits more than 16 bytes, and a token has one spelling.
  const expected = Buffer.from(unsubscribeToken(key, link.userId, link.channel));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected) ? link : null;
}
