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
import { startNats, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';

const types = Object.keys(events) as EventType[];
const names = Object.keys(requests) as RequestName[];
const inboxes = serviceNames.map((service) => `_INBOX_${service}.token`);
const wakeWords = serviceNames.map((service) => `outbox.${service}`);
const deadLetters = serviceNames.flatMap((service) => {
  const { subject, replaySubject } = deadLetterStreamOf(service);
  return [subject, replaySubject];
});
const consumers = serviceNames.flatMap(consumersOf);
const streams = serviceNames.flatMap((service) => [
  ...streamsOf(service).map(({ name }) => name),
  deadLetterStreamOf(service).name,
]);

/** Requests to JetStream by which a service would get at the subjects of others with the server's own rights. */
const attacks: [subject: string, body: object][] = [
  ...streams.flatMap((name): [string, object][] => [
    [`$JS.API.STREAM.UPDATE.${name}`, { name, subjects: ['notifier.send'] }],
    [`$JS.API.STREAM.UPDATE.${name}`, { name, sources: [{ name: 'IDENTITY' }] }],
    [`$JS.API.STREAM.UPDATE.${name}`, { name, republish: { src: '>', dest: 'user.deleted' } }],
    [`$JS.API.STREAM.CREATE.${name}`, { name, subjects: ['identity.authenticate'] }],
    [`$JS.API.STREAM.SNAPSHOT.${name}`, { deliver_subject: '_INBOX_webhooks.copy' }],
    ...['DELETE', 'PURGE', 'RESTORE', 'MSG.GET', 'MSG.DELETE', 'LEADER.STEPDOWN'].map(
      (verb): [string, object] => [`$JS.API.STREAM.${verb}.${name}`, {}],
    ),
    [`$JS.API.DIRECT.GET.${name}`, {}],
    [`$JS.API.CONSUMER.NAMES.${name}`, {}],
    [`$JS.API.CONSUMER.LIST.${name}`, {}],
    [`$JS.API.CONSUMER.CREATE.${name}`, pushConsumer(name)],
    [`$JS.API.CONSUMER.CREATE.${name}.mine`, pushConsumer(name)],
    [`$JS.API.CONSUMER.CREATE.${name}.mine.user.deleted`, pushConsumer(name)],
    [`$JS.API.CONSUMER.DURABLE.CREATE.${name}.mine`, pushConsumer(name)],
  ]),
  ...consumers.flatMap(({ stream, durable }): [string, object][] => [
    [`$JS.API.CONSUMER.CREATE.${stream}.${durable}`, pushConsumer(stream, durable)],
    [`$JS.API.CONSUMER.CREATE.${stream}.${durable}.user.deleted`, pushConsumer(stream, durable)],
    [`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`, pushConsumer(stream, durable)],
    [`$JS.API.CONSUMER.DELETE.${stream}.${durable}`, {}],
  ]),
  ['$JS.API.STREAM.CREATE.NEW', { name: 'NEW', subjects: ['identity.authenticate'] }],
  ['$JS.API.STREAM.CREATE.NEW', { name: 'NEW', mirror: { name: 'IDENTITY' } }],
  ['$JS.API.STREAM.NAMES', {}],
  ['$JS.API.STREAM.LIST', {}],
  ['$JS.API.INFO', {}],
  ['$JS.API.ACCOUNT.PURGE.$G', {}],
  ['$SYS.REQ.SERVER.PING', {}],
  ['$SYS.REQ.USER.INFO', {}],
];

function pushConsumer(stream: string, durable = 'mine'): object {
  const config = { name: durable, durable_name: durable, deliver_subject: 'notifier.send' };
  return { stream_name: stream, action: '', config: { ...config, ack_policy: 'none' } };
}

/** What a service may do with a stream or consumer that has been declared for it. */
function ownJetStream(service: ServiceName): string[] {
  const subscriptions = consumersOf(service);
  const own = streamsOf(service).map(({ name }) => name);
  const dead = subscriptions.length > 0 ? [deadLetterStreamOf(service)] : [];
  return [
    ...[...own, ...dead.map(({ name }) => name)].map((name) => `$JS.API.STREAM.INFO.${name}`),
    ...dead.map(({ subject }) => subject),
    ...subscriptions.flatMap(({ stream, durable }) => consumerSubjects(stream, durable)),
  ];
}

function consumerSubjects(stream: string, durable: string): string[] {
  return [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
  ];
}

/** Every subject that means something to any service. */
const subjects = [
  ...types,
  ...names,
  ...inboxes,
  ...wakeWords,
  ...deadLetters,
  ...streams.map((name) => `$JS.API.STREAM.INFO.${name}`),
  ...consumers.flatMap(({ stream, durable }) => consumerSubjects(stream, durable)),
];

describe('the rights of the NATS users, on a real server', () => {
  let nats: TestNats;
  let operator: NatsConnection;
  const connections: NatsConnection[] = [];

  beforeAll(async () => {
    nats = await startNats();
    operator = await connect({ servers: nats.url, ...nats.operator });
  });
  afterAll(async () => {
    await Promise.all([...connections, operator].map((connection) => connection.close()));
    await nats.stop();
  });

  async function connectAs(service: ServiceName | 'streams'): Promise<NatsConnection> {
    const { NATS_URL: servers, NATS_USER: user, NATS_PASSWORD: pass } = nats.user(service);
    const connection = await connect({ servers, user, pass, inboxPrefix: `_INBOX_${service}` });
    connections.push(connection);
    return connection;
  }

  /** What the server refuses while `work` runs: `publish user.deleted`, `subscription >`. */
  async function refusedTo(
    service: ServiceName | 'streams',
    work: (connection: NatsConnection) => void,
  ): Promise<Set<string>> {
    const connection = await connectAs(service);
    const refused = new Set<string>();
    const statuses = (async () => {
      for await (const status of connection.status())
        if (status.type === 'error' && status.error instanceof PermissionViolationError)
          refused.add(`${status.error.operation} ${status.error.subject}`);
    })();
    work(connection);
    await connection.flush();
    await connection.close();
    await statuses;
    return refused;
  }

  describe.each(serviceNames)('%s', (service) => {
    const has = (list: readonly string[]) => list.includes(service);

    it('publishes what it owns and asks, and nothing of anybody else', async () => {
      const mine = new Set([
        ...types.filter((type) => events[type].owner === service),
        ...names.filter((name) => has(requests[name].askers)),
        ...(streamsOf(service).length > 0 ? [`outbox.${service}`] : []),
        ...ownJetStream(service),
      ]);
      const refused = await refusedTo(service, (connection) => {
        for (const subject of subjects) connection.publish(subject, '{}');
      });
      expect(subjects.filter((subject) => !refused.has(`publish ${subject}`)).sort()).toEqual(
        [...mine].sort(),
      );
    });

    it('makes, changes, reads and deletes no stream and no consumer', async () => {
      const refused = await refusedTo(service, (connection) => {
        for (const [subject, body] of attacks) connection.publish(subject, JSON.stringify(body));
      });
      const through = attacks.map(([subject]) => subject).filter((one) => !refused.has(`publish ${one}`));
      expect(through).toEqual([]);
    });

    it('hears what it answers, consumes and is answered, and nothing of anybody else', async () => {
      const mine = new Set([
        `_INBOX_${service}.token`,
        ...names.filter((name) => requests[name].owner === service),
        ...types.filter((type) => events[type].stream === null && has(events[type].consumers)),
        ...(streamsOf(service).length > 0 ? [`outbox.${service}`] : []),
      ]);
      const wide = ['>', '*', '*.>', '_INBOX_*.>', '_INBOX.>', '$JS.>', '$JS.EVENT.>', '$JS.ACK.>', '$SYS.>'];
      const heard = [...subjects, ...wide];
      const refused = await refusedTo(service, (connection) => {
        for (const subject of heard) connection.subscribe(subject, { callback: () => undefined });
      });
      expect(heard.filter((subject) => !refused.has(`subscription ${subject}`)).sort()).toEqual(
        [...mine].sort(),
      );
    });
  });

  it('lets who declares the streams read, replay and delete dead letters, and no other message', async () => {
    const reading = subjects.filter((subject) => /^\$JS\.API\.(STREAM|CONSUMER)\.INFO\./.test(subject));
    const isDeadLetters = (subject: string) =>
      /^(replay\.|\$JS\.API\.STREAM\.MSG\.(GET|DELETE)\.DEAD_)/.test(subject);
    const declared = [
      ...reading,
      ...[...subjects, ...attacks.map(([subject]) => subject)].filter(isDeadLetters),
    ].filter((subject) => !/[._]gateway$/i.test(subject));
    const destructive = attacks
      .map(([subject]) => subject)
      .filter((subject) => !/\.(UPDATE|CREATE)\./.test(subject));
    const refused = await refusedTo('streams', (connection) => {
      for (const subject of [...subjects, ...destructive]) connection.publish(subject, '{}');
      for (const subject of [...subjects, '>']) connection.subscribe(subject, { callback: () => undefined });
    });
    const sent = [...subjects, ...destructive].filter((subject) => !refused.has(`publish ${subject}`));
    expect(sent.sort()).toEqual(declared.sort());
    const heard = [...subjects, '>'].filter((subject) => !refused.has(`subscription ${subject}`));
    expect(heard).toEqual([]);
  });

  it('lets a service answer a request once, and one that answers none not at all', async () => {
    const [identity, gateway] = await Promise.all([connectAs('identity'), connectAs('gateway')]);
    const answers: string[] = [];
    operator.subscribe('_INBOX_cases.7', {
      callback: (_error, message) => void answers.push(message.string()),
    });
    for (const [subject, connection] of Object.entries({
      'identity.user': identity,
      'revocations.announced': gateway,
    }))
      connection.subscribe(subject, {
        callback: (_error, message) => {
          message.respond(`first of ${subject}`);
          message.respond(`second of ${subject}`);
        },
      });
    await Promise.all([identity.flush(), gateway.flush()]);
    for (const subject of ['identity.user', 'revocations.announced'])
      operator.publish(subject, '{}', { reply: '_INBOX_cases.7' });
    await operator.flush();
    // Once for the requests to arrive, and once for the answers to be sent.
    for (let i = 0; i < 2; i++) await Promise.all([identity.flush(), gateway.flush()]);
    await operator.flush();
    expect(answers).toEqual(['first of identity.user']);
  });

  it('leaves every stream as it was declared', async () => {
    const manager = await jetstreamManager(operator);
    for (const service of serviceNames)
      for (const { name, subjects: own } of streamsOf(service))
        expect((await manager.streams.info(name)).config.subjects.toSorted()).toEqual(own.toSorted());
    expect(await manager.streams.names().next()).not.toContain('NEW');
  });
});
