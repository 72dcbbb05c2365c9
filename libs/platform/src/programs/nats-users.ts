/**
 * The users of NATS, their rights and the two accounts, generated from the event and request registries. nats-server does not
 * check the reply subject of a request: it answers there with its own rights. So JetStream has an account of its own, and the
 * services' account imports what they may use: a reply then leads back into the services' account only (ADR 0031).
 */
import {
  consumersOf,
  type EventType,
  events,
  type RequestName,
  requests,
  type ServiceName,
  serviceNames,
  streamsOf,
} from '@casewatch/contracts';
import { replyPrefix } from '../bus/reply-subjects.ts';
import { outboxSubject } from '../outbox/subject.ts';
import { consumerDeclarations, streamDeclarations } from '../streams/declarations.ts';
import { importedApi } from '../streams/imported-api.ts';

export const natsUsers = [...serviceNames, 'streams', 'operator'] as const;
export type NatsUser = (typeof natsUsers)[number];

/** Subjects that a user may use. */
export type NatsRights = { publish: string[]; subscribe: string[] };

/** A user's rights; null: every right in its account. */
export function natsRightsOf(user: NatsUser): NatsRights | null {
  if (user === 'operator') return null;
  return user === 'streams' ? declarerRights() : serviceRights(user);
}

/** A service may use its own streams and consumers, but not configure them. */
function serviceRights(service: ServiceName): NatsRights {
  const types = Object.keys(events) as EventType[];
  const names = Object.keys(requests) as RequestName[];
  const ownedCoreEvents = types.filter(
    (type) => events[type].owner === service && events[type].stream === null,
  );
  const sentRequests = names.filter((name) => askersOf(name).includes(service));
  const answeredRequests = names.filter((name) => requests[name].owner === service);
  const coreEvents = types.filter(
    (type) =>
      events[type].stream === null && (events[type].consumers as readonly ServiceName[]).includes(service),
  );
  const relay = streamsOf(service).length > 0 ? [outboxSubject(service)] : [];
  // Not `allow_responses`: it allows any reply subject of a message that arrives, and a service can send itself a wake-up.
  const replies = [...new Set(answeredRequests.flatMap(askersOf))].map(
    (asker) => `${replyPrefix(asker, service)}.*`,
  );
  return {
    publish: [
      ...ownedCoreEvents,
      ...sentRequests,
      ...replies,
      ...relay,
      ...importsOf(service).map(({ to }) => to),
    ],
    subscribe: [`_INBOX_${service}.>`, ...answeredRequests, ...coreEvents, ...relay],
  };
}

function askersOf(name: RequestName): readonly ServiceName[] {
  return requests[name].askers;
}

/** `subject` in the account of JetStream, `to` in that of the services. */
type Import = { subject: string; to: string };

/** What a service uses of the account of JetStream. */
export function importsOf(service: ServiceName): Import[] {
  const consumers = consumersOf(service);
  const ownStreams = streamsOf(service);
  const published = ownStreams.flatMap(({ subjects }) => subjects);
  return [
    ...published.map((subject) => ({ subject, to: subject })),
    ...ownStreams.map(({ name }) => api(`STREAM.INFO.${name}`)),
    ...consumers.flatMap(({ stream, durable }) => {
      const acks = `$JS.ACK.${stream}.${durable}.>`;
      return [
        api(`CONSUMER.INFO.${stream}.${durable}`),
        api(`CONSUMER.MSG.NEXT.${stream}.${durable}`),
        { subject: acks, to: acks },
      ];
    }),
  ];
}

function api(verb: string): Import {
  return { subject: `$JS.API.${verb}`, to: `${importedApi.apiPrefix}.${verb}` };
}

/** May create and update declared streams and consumers, and read no message. */
function declarerRights(): NatsRights {
  const streams = streamDeclarations(1).flatMap(({ name }) =>
    ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`),
  );
  const consumers = consumerDeclarations().flatMap(({ stream, config }) =>
    ['INFO', 'DURABLE.CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${config.durable_name}`),
  );
  return { publish: [...streams, ...consumers], subscribe: ['_INBOX_streams.>'] };
}

/**
 * One export for all: nats-server drops an answer that would pass through its own export again. Otherwise a service could have an
 * answer stored as another service's event, by the reply subject. What passes is listed in the imports. A pull has several answers
 * (`stream`); the way back is forgotten after `response_threshold` without one, and a pull has a heartbeat every 5 s.
 */
const streamsExport =
  '{ service: ">", response_type: stream, response_threshold: "12s", accounts: [SERVICES] }';

/** The `accounts` of a nats-server with the users that have a password here. */
export function natsAuthorization(passwords: Readonly<Partial<Record<NatsUser, string>>>): string {
  const users = natsUsers.filter((user) => passwords[user] !== undefined);
  return authorizationBlock(users, (user) => JSON.stringify(passwords[user]));
}

/** The same block. `passwordOf` returns a variable of the configuration or a quoted text. */
export function authorizationBlock(
  names: readonly NatsUser[],
  passwordOf: (user: NatsUser) => string,
): string {
  const usersOf = (isMember: (user: NatsUser) => boolean) =>
    block(
      'users',
      names.filter(isMember).map((user) => userEntry(user, passwordOf(user))),
    );
  const isService = (user: NatsUser) => (serviceNames as readonly NatsUser[]).includes(user);
  return [
    'accounts {',
    '  STREAMS {',
    '    jetstream: enabled',
    ...usersOf((user) => !isService(user)),
    `    exports = [${streamsExport}]`,
    '  }',
    '  SERVICES {',
    ...usersOf(isService),
    ...block('imports', serviceNames.flatMap(importsOf).map(importEntry)),
    '  }',
    '}',
    '',
  ].join('\n');
}

function block(name: string, entries: string[]): string[] {
  return [`    ${name} = [`, ...entries, '    ]'];
}

function importEntry({ subject, to }: Import): string {
  const renamed = to === subject ? '' : `, to: ${JSON.stringify(to)}`;
  return `      { service: { account: STREAMS, subject: ${JSON.stringify(subject)} }${renamed} }`;
}

function userEntry(user: NatsUser, password: string): string {
  const rights = natsRightsOf(user);
  const permissions = rights
    ? [
        '        permissions: {',
        `          publish: { allow: [${list(rights.publish)}] }`,
        `          subscribe: { allow: [${list(rights.subscribe)}] }`,
        '        }',
      ]
    : [];
  return [
    '      {',
    `        user: ${user}`,
    `        password: ${password}`,
    ...permissions,
    '      }',
  ].join('\n');
}

function list(subjects: readonly string[]): string {
  const lines = subjects.map((subject) => `            ${JSON.stringify(subject)}`);
  return `\n${lines.join('\n')}\n          `;
}
