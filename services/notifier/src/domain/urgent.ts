import { matchStatus } from '@casewatch/contracts';

const decisions: ReadonlySet<string> = new Set(['approved', 'denied', 'rejected', 'decision']);

/** Statuses of these categories are urgent if the person must act: an RFE is, its received response is not. */
const requests: ReadonlySet<string> = new Set(['evidence', 'appeal']);

/** A decision, a denial or a request for evidence: no digest, cap or mail quiet hours delay it (notifier.md, Sending). */
export function isUrgent({ status_code, category }: { status_code: string; category: string }): boolean {
  if (decisions.has(category)) return true;
  return requests.has(category) && (matchStatus(status_code).knownStatus?.action_required ?? true);
}
