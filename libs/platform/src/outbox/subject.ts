import type { ServiceName } from '@casewatch/contracts';

/** The core NATS subject on which replicas wake the service's relay. */
export function outboxSubject(service: ServiceName): string {
  return `outbox.${service}`;
}
