import {
  deadLetterStreamOf,
  type EventType,
  events,
  type RequestName,
  requests,
  type ServiceName,
  serviceNames,
  streamsOf,
  subscriptionsOf,
} from '@casewatch/contracts';
import { outboxSubject } from './outbox.ts';

/** What one service may do on NATS. */
export type NatsRights = { publish: string[]; subscribe: string[] };

/** A service's rights, generated from the event and request registries: its own subjects, streams and consumers. */
export function natsRightsOf(service: ServiceName): NatsRights {
  const types = Object.keys(events) as EventType[];
  const names = Object.keys(requests) as RequestName[];
  const owned = types.filter((type) => events[type].owner === service);
  const asked = names.filter((name) => (requests[name].askers as readonly ServiceName[]).includes(service));
  const answered = names.filter((name) => requests[name].owner === service);
  const heard = types.filter(
    (type) =>
      events[type].stream === null && (events[type].consumers as readonly ServiceName[]).includes(service),
  );
  return {
    publish: [
      ...owned,
      ...asked,
      ...relayRights(service),
      ...streamRights(service),
      ...consumerRights(service),
    ],
    subscribe: [`_INBOX_${service}.>`, ...answered, ...heard, ...relayRights(service)],
  };
}

/** Only a service with streams of its own has a relay. */
function relayRights(service: ServiceName): string[] {
  return streamsOf(service).length > 0 ? [outboxSubject(service)] : [];
}

function streamRights(service: ServiceName): string[] {
  const own = streamsOf(service).map((stream) => stream.name);
  const consumes = subscriptionsOf(service).length > 0;
  const dead = deadLetterStreamOf(service);
  const names = consumes ? [...own, dead.name] : own;
  const verbs = ['INFO', 'CREATE', 'UPDATE'];
  const rights = names.flatMap((name) => verbs.map((verb) => `$JS.API.STREAM.${verb}.${name}`));
  return consumes ? [...rights, dead.subject] : rights;
}

function consumerRights(service: ServiceName): string[] {
  return subscriptionsOf(service).flatMap(({ stream, durable }) => [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ]);
}

/**
 * The `authorization` block of a nats-server configuration: one user per service, named like it, and an operator with
 * every right where one is wanted.
 */
export function natsAuthorization(
  passwords: Readonly<Record<string, string>>,
  operator?: { user: string; pass: string },
): string {
  const users = serviceNames
    .filter((service) => passwords[service] !== undefined)
    .map((service) => {
      const { publish, subscribe } = natsRightsOf(service);
      const permissions = {
        publish: { allow: publish },
        subscribe: { allow: subscribe },
        allow_responses: true,
      };
      return `    { user: ${service}, password: ${JSON.stringify(passwords[service])}, permissions: ${JSON.stringify(permissions)} }`;
    });
  if (operator) users.push(`    { user: ${operator.user}, password: ${JSON.stringify(operator.pass)} }`);
  return `authorization {\n  users = [\n${users.join('\n')}\n  ]\n}\n`;
}
