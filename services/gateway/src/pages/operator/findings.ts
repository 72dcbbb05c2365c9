import type { ServiceState } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { notice, wholeNumber } from '../parts/blocks.ts';
import {
  type Checks,
  duration,
  type MonitorState,
  type NotifierState,
  type SystemState,
  type WebhooksState,
} from './system-state.ts';

/** Everything that is wrong; first what cannot wait. */
export function findingsOf(state: SystemState): Finding[] {
  const services = Object.entries(state.services).flatMap(([name, part]) => serviceFindings(name, part));
  const findings = [...services, ...checkFindings(state), ...sendingFindings(state)];
  return findings.toSorted((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'));
}

export function findingList(findings: readonly Finding[]): Markup {
  if (findings.length === 0) return notice('good', 'Nothing is wrong.');
  return html`${findings.map(({ tone, text, runbook, command }) => {
    const help = [
      command === undefined ? null : html`<code>${command}</code>`,
      runbook === undefined ? null : html`docs/runbooks.md, ${runbook}`,
    ];
    return notice(
      tone,
      html`<b>${text}</b>${help.map((line) => line && html`<span class="under">${line}</span>`)}`,
    );
  })}`;
}

/** Something that an operator should look at. */
type Finding = {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  /** Section of docs/runbooks.md. */
  readonly runbook?: string;
  readonly command?: string;
};

/** `1 event`, `1,234 events` */
export function counted(count: number, noun: string): string {
  return `${wholeNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The limits of the alert rules (deploy/observability). */
const longestPublishSeconds = 60;
const maxPending = 1_000;

/** What is wrong in the part of a service that all services have. */
function serviceFindings(name: string, state: ServiceState | null): Finding[] {
  if (state === null) return [{ tone: 'bad', text: `${name} does not answer.`, runbook: 'ServiceDown' }];
  return [
    ...missingParts(name, state),
    ...outboxFindings(name, state.outbox),
    ...deadLetterFindings(name, state.dead_letters),
    ...(state.consumers ?? [])
      .filter(({ pending }) => pending > maxPending)
      .map(
        ({ name: consumer, pending }): Finding => ({
          tone: 'warn',
          text: `${counted(pending, 'event')} wait for the consumer ${consumer}.`,
          runbook: 'EventsWaiting',
        }),
      ),
  ];
}

function missingParts(name: string, { outbox, consumers, dead_letters }: ServiceState): Finding[] {
  const server = outbox === null ? 'MongoDB' : consumers === null || dead_letters === null ? 'NATS' : null;
  if (server === null) return [];
  return [{ tone: 'bad', text: `${server} does not answer ${name}.`, runbook: 'DependencyDown' }];
}

function outboxFindings(name: string, outbox: ServiceState['outbox']): Finding[] {
  if (outbox === null) return [];
  const findings: Finding[] = [];
  if (outbox.refused > 0)
    findings.push({
      tone: 'bad',
      text: `A stream refuses ${counted(outbox.refused, 'event')} of ${name}.`,
      runbook: 'OutboxRefused',
    });
  if (outbox.oldest_seconds > longestPublishSeconds)
    findings.push({
      tone: 'bad',
      text: `${counted(outbox.waiting, 'event')} of ${name} wait to be published, the oldest for ${duration(outbox.oldest_seconds)}.`,
      runbook: 'OutboxLag',
    });
  return findings;
}

function deadLetterFindings(name: string, count: number | null): Finding[] {
  if (!count) return [];
  return [
    {
      tone: 'bad',
      text: `${name} has ${counted(count, 'dead letter')}: events that it could not handle.`,
      runbook: 'DeadLetters',
      command: `npm run admin -- deadletters list ${name}`,
    },
  ];
}

/** What is wrong with the checks at USCIS. */
function checkFindings({ checks, services: { monitor } }: SystemState): Finding[] {
  return [...(checks ? statusFindings(checks) : []), ...(monitor ? monitorFindings(monitor) : [])];
}

function statusFindings(checks: Checks): Finding[] {
  const { paused, sending, upstream, accepts_new_cases, overdue_receipts: overdue } = checks;
  const findings: Finding[] = [];
  if (paused)
    findings.push({
      tone: 'warn',
      text: 'An operator has paused the checks.',
      command: 'npm run admin -- monitor resume',
    });
  else if (!sending)
    findings.push({
      tone: 'bad',
      text: 'No replica of the monitor sends checks.',
      runbook: 'NoLeaseHolder',
    });
  else if (upstream === 'unreachable')
    findings.push({ tone: 'bad', text: 'USCIS does not answer.', runbook: 'UscisNoAnswers' });
  if (!accepts_new_cases)
    findings.push({ tone: 'bad', text: 'New cases are refused: the planned interval is too long.' });
  if (overdue)
    findings.push({
      tone: 'warn',
      text: `${counted(overdue, 'receipt')} without a recent check.`,
      runbook: 'ReceiptsOverdue',
    });
  return findings;
}

function monitorFindings({ breaker, held_receipts: held, lanes }: MonitorState): Finding[] {
  const findings: Finding[] = [];
  if (breaker === 'open')
    findings.push({
      tone: 'bad',
      text: 'The circuit breaker to USCIS is open.',
      runbook: 'UscisBreakerOpen',
      command: 'npm run admin -- monitor status',
    });
  if (held > 0)
    findings.push({
      tone: 'bad',
      text: `${counted(held, 'changed receipt')} wait for the decision of an operator.`,
      runbook: 'UpdatesHeld',
      command: 'npm run admin -- monitor release',
    });
  for (const { lane, left } of lanes)
    if (left === 0)
      findings.push({
        tone: 'warn',
        text: `The quota of ${lane} checks is used up for today.`,
        runbook: 'QuotaUsed',
      });
  return findings;
}

/** The limits of the alert rules (deploy/observability), seconds. */
const longestWait = 900;
const longestOverdue = 60;

/** What is wrong with mails, messages and webhooks. */
function sendingFindings({ services: { notifier, webhooks } }: SystemState): Finding[] {
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
