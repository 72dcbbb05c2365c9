import type { ServiceState } from '@casewatch/contracts';
import { duration } from './duration.ts';
import { counted, type Finding } from './finding.ts';

/** The limits of the alert rules (deploy/observability). */
const longestPublishSeconds = 60;
const mostPending = 1_000;

/** What is wrong in the part of a service that all services have. */
export function serviceFindings(name: string, state: ServiceState | null): Finding[] {
  if (state === null) return [{ tone: 'bad', text: `${name} does not answer.`, runbook: 'ServiceDown' }];
  return [
    ...missingParts(name, state),
    ...outboxFindings(name, state.outbox),
    ...deadLetterFindings(name, state.dead_letters),
    ...(state.consumers ?? []).flatMap(({ name: consumer, pending }): Finding[] =>
      pending <= mostPending
        ? []
        : [
            {
              tone: 'warn',
              text: `${counted(pending, 'event')} wait for the consumer ${consumer}.`,
              runbook: 'EventsWaiting',
            },
          ],
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
