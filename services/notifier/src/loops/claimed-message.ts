import type { Channel } from '@casewatch/contracts';
import type { RecipientUser } from '../domain/skip-reason.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import type { RecipientRow } from '../store/recipients.ts';

/** A recipient that this process claimed at `claimedAt` (`performance.now()`). */
export type Claimed = { recipient: RecipientRow; token: string; claimedAt: number };

/** The claim of a recipient, which its messages share: the last one to be settled releases it. */
export type RecipientClaim = {
  token: string;
  claimedAt: number;
  /** Messages that are not settled. */
  open: number;
  /** Messages that were, or may have been, accepted. */
  accepted: number;
};

/** One message to one person, whose attempt is counted. */
export type ClaimedMessage = {
  channel: Channel;
  /** Newest first; at least one. */
  rows: readonly NotificationRow[];
  newest: NotificationRow;
  /** Id of the digest; null if the message is that of one notification. */
  digest: string | null;
  user: RecipientUser;
  /** The address never got a message from us. */
  isFirst: boolean;
  claim: RecipientClaim;
};

/** Id of the message at providers and in callbacks. */
export function idOfMessage({ digest, newest }: Pick<ClaimedMessage, 'digest' | 'newest'>): string {
  return digest ?? newest._id;
}
