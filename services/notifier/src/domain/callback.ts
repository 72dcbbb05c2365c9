import type { NotifyStatus } from '@casewatch/contracts';
import { twilioError } from './classify-twilio.ts';

/** How far a message got, by Twilio's words; what has no rank changes nothing. */
const ranks: Readonly<Record<string, number>> = {
  accepted: 1,
  queued: 1,
  sending: 2,
  sent: 3,
  failed: 3,
  undelivered: 3,
  delivered: 4,
  read: 5,
};

/** The rank of what a provider said, 0 if it is nothing to us. */
export function rankOf(providerStatus: string): number {
  return ranks[providerStatus] ?? 0;
}

/** What is known of the message that a report is about. */
export type Reported = {
  status: NotifyStatus;
  provider_rank: number;
  provider_message_id: string | null;
  sent_at: Date | null;
};

export type Report = { providerId: string; providerStatus: string; errorCode: number | null };

/** `rank`: note how far it got, nobody else needs to know. `change`: the notification's state changes. */
export type CallbackDecision =
  | { kind: 'ignore' }
  | { kind: 'rank'; rank: number }
  | { kind: 'change'; status: 'sent' | 'delivered' | 'failed'; rank: number; last_error: string | null };

/**
 * Applies a report by rank, so that late ones never go backwards: a failure holds only below `delivered`, and only if
 * it is about the submission that we hold for the accepted one (notifier.md, Sending). `read` counts as delivered.
 */
export function decideCallback(row: Reported, report: Report): CallbackDecision {
  const rank = rankOf(report.providerStatus);
  if (row.status === 'skipped' || rank === 0) return { kind: 'ignore' };
  if (report.providerStatus === 'failed' || report.providerStatus === 'undelivered') {
    const isOther = row.provider_message_id !== null && row.provider_message_id !== report.providerId;
    if (isOther || row.status === 'failed' || row.provider_rank >= 4) return { kind: 'ignore' };
    return { kind: 'change', status: 'failed', rank, last_error: twilioError(report.errorCode) };
  }
  if (rank <= row.provider_rank) return { kind: 'ignore' };
  const status = rank >= 4 ? 'delivered' : 'sent';
  const isNews =
    status === 'delivered' ? row.status !== 'delivered' : row.status !== 'sent' && row.status !== 'failed';
  return isNews ? { kind: 'change', status, rank, last_error: null } : { kind: 'rank', rank };
}
