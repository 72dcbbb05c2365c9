import {
  consumersOf,
  deadLetterStreamOf,
  type EventType,
  events,
  type RequestName,
  requests,
  type ServiceName,
  serviceNames,
  streamsOf,
} from '@casewatch/contracts';
import { outboxSubject } from '../outbox/outbox.ts';
import { consumerDeclarations, streamDeclarations } from '../streams/declarations.ts';

/** Who may connect to NATS: each service, who declares the streams, and the operator, who may do everything. */
export const natsUsers = [...serviceNames, 'streams', 'operator'] as const;
export type NatsUser = (typeof natsUsers)[number];

/** What one user may do on NATS. `responds`: may answer a request at the address that came with it, once. */
export type NatsRights = { publish: string[]; subscribe: string[]; responds: boolean };

/** A user's rights, generated from the event and request registries; null: every right. */
export function natsRightsOf(user: NatsUser): NatsRights | null {
  if (user === 'operator') return null;
  return user === 'streams' ? declarerRights() : serviceRights(user);
}

/** Its own subjects, and of its own streams and consumers only what needs no configuration (docs/adr/0031). */
function serviceRights(service: ServiceName): NatsRights {
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
    responds: answered.length > 0,
  };
}

/** Only a service with streams of its own has a relay. */
function relayRights(service: ServiceName): string[] {
  return streamsOf(service).length > 0 ? [outboxSubject(service)] : [];
}

function streamRights(service: ServiceName): string[] {
  const own = streamsOf(service).map((stream) => stream.name);
  const consumes = consumersOf(service).length > 0;
  const dead = deadLetterStreamOf(service);
  const names = consumes ? [...own, dead.name] : own;
  const rights = names.map((name) => `$JS.API.STREAM.INFO.${name}`);
  return consumes ? [...rights, dead.subject] : rights;
}

function consumerRights(service: ServiceName): string[] {
  return consumersOf(service).flatMap(({ stream, durable }) => [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ]);
}

/** Makes and changes what the registries name. It reads and deletes dead letters alone, and has them handled again. */
function declarerRights(): NatsRights {
  const streams = streamDeclarations(1).flatMap(({ name }) =>
    ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`),
  );
  const consumers = consumerDeclarations().flatMap(({ stream, config }) =>
    ['INFO', 'DURABLE.CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${config.durable_name}`),
  );
  const dead = serviceNames.filter((service) => consumersOf(service).length > 0).map(deadLetterStreamOf);
  const letters = dead.flatMap(({ name, replaySubject }) => [
    `$JS.API.STREAM.MSG.GET.${name}`,
    `$JS.API.STREAM.MSG.DELETE.${name}`,
    replaySubject,
  ]);
  return {
    publish: [...streams, ...consumers, ...letters],
    subscribe: ['_INBOX_streams.>'],
    responds: false,
  };
}

/** How long a request may be answered: longer than the longest deadline of one. */
const respondWithin = '10s';

/** The `authorization` block of a nats-server configuration: each user that has a password, or its bcrypt hash. */
export function natsAuthorization(passwords: Readonly<Partial<Record<NatsUser, string>>>): string {
  const users = natsUsers.filter((user) => passwords[user] !== undefined);
  return authorizationBlock(users, (user) => JSON.stringify(passwords[user]));
}

/** The same with passwords as the configuration is to have them: a variable, or a text in quotes. */
export function authorizationBlock(
  names: readonly NatsUser[],
  passwordOf: (user: NatsUser) => string,
): string {
  const users = names.map((user) => userBlock(user, passwordOf(user)));
  return `authorization {\n  users = [\n${users.join('\n')}\n  ]\n}\n`;
}

function userBlock(user: NatsUser, password: string): string {
  const rights = natsRightsOf(user);
  const permissions = rights
    ? [
        '      permissions: {',
        `        publish: { allow: [${list(rights.publish)}] }`,
        `        subscribe: { allow: [${list(rights.subscribe)}] }`,
        ...(rights.responds ? [`        allow_responses: { max: 1, expires: "${respondWithin}" }`] : []),
        '      }',
      ]
    : [];
  return ['    {', `      user: ${user}`, `      password: ${password}`, ...permissions, '    }'].join('\n');
}

function list(subjects: readonly string[]): string {
  const lines = subjects.map((subject) => `          ${JSON.stringify(subject)}`);
  return `\n${lines.join('\n')}\n        `;
}
