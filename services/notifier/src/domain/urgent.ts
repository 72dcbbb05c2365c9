import { matchStatus } from '@casewatch/contracts';

const decisions: ReadonlySet<string> = new Set(['approved', 'denied', 'rejected', 'decision']);

/** Statuses of these categories are urgent if the person must act: an RFE is, its received response is not; a notice of the oath ceremony is. */
const requests: ReadonlySet<string> = new Set(['evidence', 'appeal', 'oath']);

/** A decision, a denial, a request for evidence or an oath ceremony: no digest, cap or mail quiet hours delay it (notifier.md, Sending). */
export function isUrgent({ status_code, category }: { status_code: string; category: string }): boolean {
  if (decisions.has(category)) return true;
  return requests.has(category) && (matchStatus(status_code).knownStatus?.action_required ?? true);
}
