import { toIso, type VerificationDelivery } from '@casewatch/contracts';
import { maskEmail, type User } from '../domain/user.ts';
import type { EmailVerification } from '../store/email-links.ts';

export const recipientLimitMessage =
  'No verification e-mail was sent: this address received too many e-mails recently.';

export function presentQueuedDelivery(
  user: User,
  row: EmailVerification,
  resendAvailableAt: Date,
): VerificationDelivery {
  return {
    ...skippedDelivery(user),
    status: 'queued',
    queued_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
    resend_available_at: toIso(resendAvailableAt),
  };
}

export function presentSkippedDelivery(
  user: User,
  reason: 'not_requested' | 'already_verified' | 'recipient_limit',
  resendAvailableAt: Date | null,
): VerificationDelivery {
  return { ...skippedDelivery(user), reason, resend_available_at: toIso(resendAvailableAt) };
}

function skippedDelivery(user: User): VerificationDelivery {
  return {
    channel: 'email',
    status: 'skipped',
    reason: null,
    to: maskEmail(user.email),
    attempts: 0,
    last_error: null,
    queued_at: null,
    sent_at: null,
    expires_at: null,
    resend_available_at: null,
  };
}
