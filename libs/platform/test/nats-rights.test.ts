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
import { startNats, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';

const types = Object.keys(events) as EventType[];
const names = Object.keys(requests) as RequestName[];
const inboxes = serviceNames.map((service) => `_INBOX_${service}.token`);
/** Where a service is answered by each other one. */
const replies = serviceNames.flatMap((asker) =>
  serviceNames.map((owner) => `_INBOX_${asker}.${owner}.token`),
);
const wakeWords = serviceNames.map((service) => `outbox.${service}`);
const consumers = serviceNames.flatMap(consumersOf);
const streams = serviceNames.flatMap(streamsOf).map(({ name }) => name);

/** Requests to JetStream by which a service would get at the subjects of others with the server's own rights. */
const attacks: [subject: string, body: object][] = ['$JS.API', 'STREAMS.API'].flatMap(attacksBy);

function attacksBy(api: string): [subject: string, body: object][] {
  return [
    ...streams.flatMap((name): [string, object][] => [
      [`${api}.STREAM.UPDATE.${name}`, { name, subjects: ['notifier.send'] }],
      [`${api}.STREAM.UPDATE.${name}`, { name, sources: [{ name: 'IDENTITY' }] }],
      [`${api}.STREAM.UPDATE.${name}`, { name, republish: { src: '>', dest: 'user.deleted' } }],
      [`${api}.STREAM.CREATE.${name}`, { name, subjects: ['identity.authenticate'] }],
      [`${api}.STREAM.SNAPSHOT.${name}`, { deliver_subject: '_INBOX_webhooks.copy' }],
      ...['DELETE', 'PURGE', 'RESTORE', 'MSG.GET', 'MSG.DELETE', 'LEADER.STEPDOWN'].map(
        (verb): [string, object] => [`${api}.STREAM.${verb}.${name}`, {}],
      ),
      [`${api}.DIRECT.GET.${name}`, {}],
      [`${api}.CONSUMER.NAMES.${name}`, {}],
      [`${api}.CONSUMER.LIST.${name}`, {}],
      [`${api}.CONSUMER.CREATE.${name}`, pushConsumer(name)],
      [`${api}.CONSUMER.CREATE.${name}.mine`, pushConsumer(name)],
      [`${api}.CONSUMER.CREATE.${name}.mine.user.deleted`, pushConsumer(name)],
      [`${api}.CONSUMER.DURABLE.CREATE.${name}.mine`, pushConsumer(name)],
    ]),
    ...consumers.flatMap(({ stream, durable }): [string, object][] => [
      [`${api}.CONSUMER.CREATE.${stream}.${durable}`, pushConsumer(stream, durable)],
      [`${api}.CONSUMER.CREATE.${stream}.${durable}.user.deleted`, pushConsumer(stream, durable)],
      [`${api}.CONSUMER.DURABLE.CREATE.${stream}.${durable}`, pushConsumer(stream, durable)],
      [`${api}.CONSUMER.DELETE.${stream}.${durable}`, {}],
    ]),
    [`${api}.STREAM.CREATE.NEW`, { name: 'NEW', subjects: ['identity.authenticate'] }],
    [`${api}.STREAM.CREATE.NEW`, { name: 'NEW', mirror: { name: 'IDENTITY' } }],
    [`${api}.STREAM.NAMES`, {}],
    [`${api}.STREAM.LIST`, {}],
    [`${api}.INFO`, {}],
    [`${api}.ACCOUNT.PURGE.STREAMS`, {}],
    ['$SYS.REQ.SERVER.PING', {}],
    ['$SYS.REQ.USER.INFO', {}],
  ];
}

function pushConsumer(stream: string, durable = 'mine'): object {
  const config = { name: durable, durable_name: durable, deliver_subject: 'notifier.send' };
  return { stream_name: stream, action: '', config: { ...config, ack_policy: 'none' } };
}

/** What a service may do with a stream or consumer that has been declared for it. */
function ownJetStream(service: ServiceName): string[] {
  const subscriptions = consumersOf(service);
  const own = streamsOf(service).map(({ name }) => name);
  return [
    ...own.map((name) => `STREAMS.API.STREAM.INFO.${name}`),
    ...subscriptions.flatMap(({ stream, durable }) => consumerSubjects('STREAMS.API', stream, durable)),
  ];
}

function consumerSubjects(api: string, stream: string, durable: string): string[] {
  return [
    `${api}.CONSUMER.INFO.${stream}.${durable}`,
    `${api}.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
  ];
}

/** Every subject that means something to any service. */
const subjects = [
  ...new Set([
    ...types,
    ...names,
    ...inboxes,
    ...replies,
    ...wakeWords,
    ...['$JS.API', 'STREAMS.API'].flatMap((api) => [
      ...streams.map((name) => `${api}.STREAM.INFO.${name}`),
      ...consumers.flatMap(({ stream, durable }) => consumerSubjects(api, stream, durable)),
    ]),
  ]),
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
    // The second time for what it sends when it hears something.
    for (let i = 0; i < 2; i++) await connection.flush();
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
        ...names
          .filter((name) => requests[name].owner === service)
          .flatMap((name) => requests[name].askers.map((asker) => `_INBOX_${asker}.${service}.token`)),
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
        ...serviceNames.map((owner) => `_INBOX_${service}.${owner}.token`),
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

  it('lets who declares the streams see them and their consumers, and read no message', async () => {
    const reading = subjects.filter((subject) => /^\$JS\.API\.(STREAM|CONSUMER)\.INFO\./.test(subject));
    const destructive = attacks
      .map(([subject]) => subject)
      .filter((subject) => !/\.(UPDATE|CREATE)\./.test(subject));
    const refused = await refusedTo('streams', (connection) => {
      for (const subject of [...subjects, ...destructive]) connection.publish(subject, '{}');
      for (const subject of [...subjects, '>']) connection.subscribe(subject, { callback: () => undefined });
    });
    const sent = [...subjects, ...destructive].filter((subject) => !refused.has(`publish ${subject}`));
    expect(sent.sort()).toEqual(reading.sort());
    const heard = [...subjects, '>'].filter((subject) => !refused.has(`subscription ${subject}`));
    expect(heard).toEqual([]);
  });

  it.each(serviceNames.filter((service) => streamsOf(service).length > 0))(
    'lets %s answer at no subject that it named itself, by a wake-up that it sent itself',
    async (service) => {
      const named = [...types.filter((type) => events[type].owner !== service), '$JS.API.STREAM.PURGE.CASES'];
      const heard = new Set<string>();
      const refused = await refusedTo(service, (connection) => {
        connection.subscribe(`outbox.${service}`, {
          callback: (_error, { reply = '' }) => {
            heard.add(reply);
            connection.publish(reply, '{}');
          },
        });
        for (const reply of named) connection.publish(`outbox.${service}`, '', { reply });
      });
      expect([...heard]).toEqual(named);
      expect([...refused].toSorted()).toEqual(named.map((subject) => `publish ${subject}`).toSorted());
    },
  );

  it('leaves every stream as it was declared', async () => {
    const manager = await jetstreamManager(operator);
    for (const service of serviceNames)
      for (const { name, subjects: own } of streamsOf(service))
        expect((await manager.streams.info(name)).config.subjects.toSorted()).toEqual(own.toSorted());
    expect(await manager.streams.names().next()).not.toContain('NEW');
  });
});
