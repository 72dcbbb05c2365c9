import { createHmac } from 'node:crypto';
import type { Channel } from '@casewatch/contracts';

/**
 * `<user>.<channel>.<signature>`: HMAC-SHA-256 over user, channel and purpose, cut to 128 bits so that the link stays
 * short. It does not expire and is good for nothing else (notifier.md, Content).
 */
export function unsubscribeToken(key: string, userId: number, channel: Channel): string {
  const about = `${userId}.${channel}`;
  const signature = createHmac('sha256', key).update(`unsubscribe.${about}`).digest().subarray(0, 16);
  return `${about}.${signature.toString('base64url')}`;
}
