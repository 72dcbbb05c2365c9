import type { NotifyStatus } from '@casewatch/contracts';
import type { Failure } from './provider-answer.ts';

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

function rankOf(providerStatus: string): number {
  return ranks[providerStatus] ?? 0;
}

export type Reported = {
  status: NotifyStatus;
  provider_rank: number;
  provider_message_id: string | null;
  sent_at: Date | null;
};

/** `failure`: why the message did not arrive. */
export type Report = { providerId: string | null; providerStatus: string; failure: Failure | null };

/** `rank`: only the rank is stored. `change`: the notification changes and is published. */
export type CallbackDecision =
  | { kind: 'ignore' }
  | { kind: 'rank'; rank: number }
  | {
      kind: 'change';
      status: 'sent' | 'delivered' | 'failed';
      rank: number;
      last_error: string | null;
      provider_text: string | null;
    };

/** A late report changes nothing. A failure counts only below `delivered` and for the stored submission (notifier.md). */
export function decideCallback(row: Reported, report: Report): CallbackDecision {
  const rank = rankOf(report.providerStatus);
  if (row.status === 'skipped' || rank === 0) return { kind: 'ignore' };
  if (report.providerStatus === 'failed' || report.providerStatus === 'undelivered') {
    const isOther = row.provider_message_id !== null && row.provider_message_id !== report.providerId;
    if (isOther || row.status === 'failed' || row.provider_rank >= 4) return { kind: 'ignore' };
    const { error = null, said = null } = report.failure ?? {};
    return { kind: 'change', status: 'failed', rank, last_error: error, provider_text: said };
  }
  if (rank <= row.provider_rank) return { kind: 'ignore' };
  const status = rank >= 4 ? 'delivered' : 'sent';
  const isChange =
    status === 'delivered' ? row.status !== 'delivered' : row.status !== 'sent' && row.status !== 'failed';
  return isChange
    ? { kind: 'change', status, rank, last_error: null, provider_text: null }
    : { kind: 'rank', rank };
}
