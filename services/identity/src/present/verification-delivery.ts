import { toIso, type VerificationDelivery } from '@casewatch/contracts';
import { maskEmail } from '../domain/mask-email.ts';
import type { User } from '../domain/user.ts';
import type { EmailVerification } from '../store/email-verifications.ts';

/** What is said where the recipient has had too many mails. */
export const recipientLimitMessage =
  'No verification e-mail was sent: this address has had too many mails lately.';

/** A mail that was just queued; `resendAvailableAt` is when the next one may be asked for. */
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

/** No mail, and why; `resendAvailableAt` is when one may be asked for. */
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
