import type { ServiceState } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { notice, wholeNumber } from '../parts/blocks.ts';
import type { Commands } from './commands.ts';
import {
  type Checks,
  duration,
  type MonitorState,
  type NotifierState,
  type SystemState,
  type WebhooksState,
} from './system-state.ts';

/** Everything that is wrong; first what cannot wait, and the cause before what follows from it. */
export function findingsOf(state: SystemState): Finding[] {
  const parts = Object.entries(state.services);
  const isSaid = (name: string) => !state.isBusUp || state.unable.includes(name);
  const services = parts.flatMap(([name, part]) => (isSaid(name) ? [] : serviceFindings(name, part)));
  const findings = [
    ...dependencyFindings(state),
    ...services,
    ...checkFindings(state),
    ...sendingFindings(state),
  ];
  return findings.toSorted((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'));
}

export function findingList(findings: readonly Finding[], commandOf: Commands): Markup {
  if (findings.length === 0) return notice('good', 'Nothing is wrong.');
  return html`${findings.map(({ tone, text, runbook, command }) => {
    const help = [
      command === undefined ? null : html`<code>${commandOf(command)}</code>`,
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
  /** As after `npm run admin --`. */
  readonly command?: string;
};

/** `1 event`, `1,234 events` */
export function counted(count: number, noun: string): string {
  return `${wholeNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The limits of the alert rules (deploy/observability). */
const longestPublishSeconds = 60;
const maxPending = 1_000;
const longestStall = 600;

type Consumer = NonNullable<ServiceState['consumers']>[number];

/** NATS and MongoDB: each is one finding, whatever number of services misses it. */
function dependencyFindings({ isBusUp, unable, services }: SystemState): Finding[] {
  const runbook = 'DependencyDown';
  if (!isBusUp)
    return [
      {
        tone: 'bad',
        text: 'NATS does not answer the gateway. Nothing is known of the services, which are asked over NATS.',
        runbook,
      },
    ];
  const parts = Object.entries(services);
  const missing = (isMissing: (state: ServiceState) => boolean) =>
    parts.flatMap(([name, state]) => (state !== null && isMissing(state) ? [name] : []));
  const isWithoutMongo = ({ outbox, dead_letters: dead }: ServiceState) => outbox === null || dead === null;
  const ofMongo = missing(isWithoutMongo);
  const ofNats = missing((state) => !isWithoutMongo(state) && state.consumers === null);
  const found = (server: string, names: readonly string[]): Finding[] =>
    names.length === 0
      ? []
      : [{ tone: 'bad', text: `${server} does not answer ${names.join(', ')}.`, runbook }];
  // Without MongoDB a service may have nothing to say but that.
  if (ofMongo.length > 0) {
    const without = Object.keys(services).filter((name) => ofMongo.includes(name) || unable.includes(name));
    return [...found('MongoDB', without), ...found('NATS', ofNats)];
  }
  return [
    ...found('NATS', ofNats),
    ...unable.map(
      (name): Finding => ({
        tone: 'bad',
        text: `${name} answers, but cannot read its state: MongoDB, or a fault that its log has.`,
        runbook,
      }),
    ),
  ];
}

/** What is wrong in the part of a service that all services have. */
function serviceFindings(name: string, state: ServiceState | null): Finding[] {
  if (state === null) return [{ tone: 'bad', text: `${name} does not answer.`, runbook: 'ServiceDown' }];
  return [
    ...outboxFindings(name, state.outbox),
    ...deadLetterFindings(name, state.dead_letters),
    ...(state.consumers ?? []).flatMap(consumerFindings),
  ];
}

function consumerFindings({ name, pending, stalled_seconds: stalled }: Consumer): Finding[] {
  if (stalled > longestStall)
    return [
      {
        tone: 'bad',
        text: `${counted(pending, 'event')} wait for the consumer ${name}, and none was finished for ${duration(stalled)}.`,
        runbook: 'EventsStalled',
      },
    ];
  if (pending <= maxPending) return [];
  const text = `${counted(pending, 'event')} wait for the consumer ${name}.`;
  return [{ tone: 'warn', text, runbook: 'EventsWaiting' }];
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
      command: `deadletters list ${name}`,
    },
  ];
}

/** What is wrong with the checks at USCIS. */
function checkFindings({ checks, services: { monitor } }: SystemState): Finding[] {
  const isQuotaSpent = monitor?.quota_spent ?? false;
  return [
    ...(checks ? statusFindings(checks, isQuotaSpent) : []),
    ...(monitor ? monitorFindings(monitor) : []),
  ];
}

function statusFindings(checks: Checks, isQuotaSpent: boolean): Finding[] {
  const { paused, sending, upstream, accepts_new_cases, overdue_receipts: overdue } = checks;
  const findings: Finding[] = [];
  if (paused)
    findings.push({
      tone: 'warn',
      text: 'An operator has paused the checks.',
      command: 'monitor resume',
    });
  else if (!sending)
    findings.push({
      tone: 'bad',
      text: 'No replica of the monitor sends checks.',
      runbook: 'NoLeaseHolder',
    });
  else if (upstream === 'unreachable' && !isQuotaSpent)
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

function hasNeverAnswered({ answered_at, refusals }: MonitorState): boolean {
  return answered_at === null && refusals.length > 0;
}

function monitorFindings(monitor: MonitorState): Finding[] {
  const { breaker, quota_spent: isQuotaSpent, held_receipts: held, lanes } = monitor;
  const findings: Finding[] = [];
  // Before the first answer, a network that is closed looks like a quiet morning.
  if (hasNeverAnswered(monitor))
    findings.push({
      tone: 'bad',
      text: 'USCIS was asked, and has not answered about any receipt yet.',
      runbook: 'UscisNoAnswers',
      command: 'monitor status',
    });
  const left = lanes.reduce((sum, lane) => sum + lane.left, 0);
  if (isQuotaSpent)
    findings.push({
      tone: 'bad',
      text: `USCIS says that our quota is spent; by our own count ${counted(left, 'request')} ${left === 1 ? 'is' : 'are'} left today.`,
      runbook: 'UscisQuotaSpent',
      command: 'monitor status',
    });
  else if (breaker === 'open')
    findings.push({
      tone: 'bad',
      text: 'The circuit breaker to USCIS is open.',
      runbook: 'UscisBreakerOpen',
      command: 'monitor probe',
    });
  if (held > 0)
    findings.push({
      tone: 'bad',
      text: `${counted(held, 'changed receipt')} wait for the decision of an operator.`,
      runbook: 'UpdatesHeld',
      command: 'monitor release',
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
const longestAccountWait = 120;
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
  const waiting = queues.flatMap((row): Finding[] => {
    // Attempts make a message due again and again: its age is what a person waits.
    const seconds = Math.max(row.oldest_seconds, row.oldest_unsent_seconds);
    const isAccount = row.queue === 'mails';
    if (seconds <= (isAccount ? longestAccountWait : longestWait)) return [];
    const text = `${counted(Math.max(row.due, row.unsent), 'message')} of ${row.queue} wait, the oldest for ${duration(seconds)}.`;
    return [{ tone: 'bad', text, runbook: isAccount ? 'AccountMailsWaiting' : 'MessagesWaiting' }];
  });
  const notReady = (templates ?? []).filter(({ is_ready }) => !is_ready);
  if (notReady.length === 0) return [...paused, ...waiting];
  const text = `${counted(notReady.length, 'WhatsApp template')} not ready.`;
  const command = 'notifier templates';
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
  if (failing > 0)
    findings.push({
      tone: 'warn',
      text: `Endpoints of partners that fail: ${failing}.`,
      command: 'webhooks disable --endpoint <number>',
    });
  return findings;
}
