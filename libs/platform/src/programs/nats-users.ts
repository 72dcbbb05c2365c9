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
import { outboxSubject } from '../outbox/subject.ts';
import { consumerDeclarations, deadLetterStreams, streamDeclarations } from '../streams/declarations.ts';

export const natsUsers = [...serviceNames, 'streams', 'operator'] as const;
export type NatsUser = (typeof natsUsers)[number];

/** Subjects that a user may use. `responds`: may reply once to the reply subject of a request. */
export type NatsRights = { publish: string[]; subscribe: string[]; responds: boolean };

/** A user's rights, generated from the event and request registries; null: every right. */
export function natsRightsOf(user: NatsUser): NatsRights | null {
  if (user === 'operator') return null;
  return user === 'streams' ? declarerRights() : serviceRights(user);
}

/** A service may use its own streams and consumers, but not configure them (ADR 0031). */
function serviceRights(service: ServiceName): NatsRights {
  const types = Object.keys(events) as EventType[];
  const names = Object.keys(requests) as RequestName[];
  const ownedTypes = types.filter((type) => events[type].owner === service);
  const sentRequests = names.filter((name) =>
    (requests[name].askers as readonly ServiceName[]).includes(service),
  );
  const answeredRequests = names.filter((name) => requests[name].owner === service);
  const coreEvents = types.filter(
    (type) =>
      events[type].stream === null && (events[type].consumers as readonly ServiceName[]).includes(service),
  );
  const relay = streamsOf(service).length > 0 ? [outboxSubject(service)] : [];
  return {
    publish: [...ownedTypes, ...sentRequests, ...relay, ...streamRights(service), ...consumerRights(service)],
    subscribe: [`_INBOX_${service}.>`, ...answeredRequests, ...coreEvents, ...relay],
    responds: answeredRequests.length > 0,
  };
}

function streamRights(service: ServiceName): string[] {
  const ownStreams = streamsOf(service).map(({ name }) => name);
  const { name, subject } = deadLetterStreamOf(service);
  const [deadLetters, copies] = consumersOf(service).length > 0 ? [[name], [subject]] : [[], []];
  return [...[...ownStreams, ...deadLetters].map((stream) => `$JS.API.STREAM.INFO.${stream}`), ...copies];
}

function consumerRights(service: ServiceName): string[] {
  return consumersOf(service).flatMap(({ stream, durable }) => [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ]);
}

/** May create and update declared streams and consumers. May read, delete and replay dead letters only. */
function declarerRights(): NatsRights {
  const streams = streamDeclarations(1).flatMap(({ name }) =>
    ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`),
  );
  const consumers = consumerDeclarations().flatMap(({ stream, config }) =>
    ['INFO', 'DURABLE.CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${config.durable_name}`),
  );
  const letters = deadLetterStreams().flatMap(({ name, replaySubject }) => [
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

const respondWithin = '10s';

export function natsAuthorization(passwords: Readonly<Partial<Record<NatsUser, string>>>): string {
  const users = natsUsers.filter((user) => passwords[user] !== undefined);
  return authorizationBlock(users, (user) => JSON.stringify(passwords[user]));
}

/** The same block. `passwordOf` returns a variable of the configuration or a quoted text. */
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
