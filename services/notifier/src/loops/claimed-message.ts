import type { Channel, UserReply } from '@casewatch/contracts';
import type { Recipient } from '../domain/skip-reason.ts';
import type { NotificationRow } from '../store/notification-model.ts';

/** One message to one person, whose attempt is counted. */
export type ClaimedMessage = {
  channel: Channel;
  /** Newest first; at least one. */
  rows: readonly NotificationRow[];
  newest: NotificationRow;
  /** Id of the digest; null if the message is that of one notification. */
  digest: string | null;
  user: UserReply;
  partner: Recipient['partner'];
  /** Claim of the recipient. */
  claim: string;
  /** `performance.now()` before the claim. */
  claimedAt: number;
};

/** Id of the message at providers and in callbacks. */
export function idOfMessage({ digest, newest }: Pick<ClaimedMessage, 'digest' | 'newest'>): string {
  return digest ?? newest._id;
}
