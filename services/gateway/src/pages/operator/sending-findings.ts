import { duration } from './duration.ts';
import { counted, type Finding } from './finding.ts';
import type { NotifierState, SystemState, WebhooksState } from './system-state.ts';

/** The limits of the alert rules (deploy/observability), seconds. */
const longestWait = 900;
const longestOverdue = 60;

/** What is wrong with mails, messages and webhooks. */
export function sendingFindings({ services: { notifier, webhooks } }: SystemState): Finding[] {
  return [...(notifier ? messageFindings(notifier) : []), ...(webhooks ? deliveryFindings(webhooks) : [])];
}

function messageFindings({ circuits, queues, templates }: NotifierState): Finding[] {
  const paused = circuits.map(
    ({ scope, remaining_seconds }): Finding => ({
      tone: 'bad',
      text: `Messages of ${scope} are paused after faults; the next try is in ${duration(remaining_seconds)}.`,
      runbook: 'SendingPaused',
    }),
  );
  const waiting = queues
    .filter(({ oldest_seconds }) => oldest_seconds > longestWait)
    .map(
      ({ queue, due, oldest_seconds }): Finding => ({
        tone: 'bad',
        text: `${counted(due, 'message')} of ${queue} wait, the oldest for ${duration(oldest_seconds)}.`,
        runbook: 'MessagesWaiting',
      }),
    );
  const notReady = (templates ?? []).filter(({ is_ready }) => !is_ready);
  if (notReady.length === 0) return [...paused, ...waiting];
  const text = `${counted(notReady.length, 'WhatsApp template')} not ready.`;
  const command = 'npm run admin -- notifier templates';
  return [...paused, ...waiting, { tone: 'warn', text, runbook: 'TemplateNotApproved', command }];
}

function deliveryFindings({ failing, oldest_overdue_seconds: overdue }: WebhooksState): Finding[] {
  const findings: Finding[] = [];
  if (overdue > longestOverdue)
    findings.push({
      tone: 'bad',
      text: `A webhook is ${duration(overdue)} late.`,
      runbook: 'DeliveriesOverdue',
    });
  if (failing > 0) findings.push({ tone: 'warn', text: `Endpoints of partners that fail: ${failing}.` });
  return findings;
}
