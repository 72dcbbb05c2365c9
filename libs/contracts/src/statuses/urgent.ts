import type { MonitoringState } from '../resources/case.ts';
import { matchStatus } from './match-status.ts';

/** Somebody at the firm looks at these immediately, whatever the title says. */
const always: ReadonlySet<string> = new Set(['denied', 'rejected', 'decision', 'oath']);

/** Urgent if someone must act: a request for evidence is, the receipt of its response is not. */
const ifAction: ReadonlySet<string> = new Set(['evidence', 'appeal', 'interview']);

const received = /\breceived\b/i;

type Status = { readonly status_code: string; readonly category: string };

/**
 * Whether a status is urgent (firm.md §3): the only rule of this. Messages about it wait for no digest, cap or quiet hours of mails,
 * and lists of the firm show it first. Of a title outside the status table only the category is known: in doubt it is urgent.
 */
export function isUrgent({ status_code, category }: Status): boolean {
  return always.has(category) || (ifAction.has(category) && needsAction(status_code));
}

/** Whether the monitoring of a case is urgent (firm.md §3): nobody would hear of a change, or too late. */
export function isUrgentMonitoring(state: MonitoringState): boolean {
  return state === 'not_found' || state === 'rejected' || state === 'overdue';
}

/**
 * Whether USCIS waits for an answer by a day: a request for evidence, or a notice of intent. A case that begins with such a
 * status stands in the list of changes (firm.md §3).
 */
export function asksForAnswer({ status_code, category }: Status): boolean {
  const { knownStatus } = matchStatus(status_code);
  if (knownStatus === null) return category === 'evidence' && needsAction(status_code);
  const { answer_within_days_max, answer_within_days_max_by_form } = knownStatus.action ?? {};
  return (answer_within_days_max ?? answer_within_days_max_by_form) !== undefined;
}

function needsAction(title: string): boolean {
  return matchStatus(title).knownStatus?.action_required ?? !received.test(title);
}
