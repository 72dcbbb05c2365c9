import {
  consumersOf,
  type EventType,
  events,
  type ServiceName,
  serviceNames,
  streamsOf,
} from '@casewatch/contracts';
import { natsRightsOf } from '@casewatch/platform';
import { startNats, type TestNats } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';

const types = Object.keys(events) as EventType[];
const consumers = serviceNames.flatMap((service) =>
  consumersOf(service).map(({ stream, durable }) => ({ service, stream, durable })),
);
const streams = serviceNames.flatMap(streamsOf);

/** Requests to JetStream that change something, under the server's own prefix and under that of the services. */
const destructive = ['$JS.API', 'STREAMS.API'].flatMap((api) => [
  ...streams.flatMap(({ name }) => [
    ...['PURGE', 'DELETE', 'UPDATE', 'CREATE', 'SNAPSHOT', 'RESTORE', 'MSG.DELETE', 'MSG.GET'].map(
      (verb) => `${api}.STREAM.${verb}.${name}`,
    ),
    ...['LEADER.STEPDOWN', 'PEER.REMOVE'].map((verb) => `${api}.STREAM.${verb}.${name}`),
  ]),
  ...consumers.flatMap(({ stream, durable }) =>
    ['DELETE', 'CREATE', 'DURABLE.CREATE', 'PAUSE', 'RESET', 'UNPIN', 'LEADER.STEPDOWN', 'MSG.NEXT'].map(
      (verb) => `${api}.CONSUMER.${verb}.${stream}.${durable}`,
    ),
  ),
  `${api}.STREAM.CREATE.NEW`,
  `${api}.META.LEADER.STEPDOWN`,
  `${api}.ACCOUNT.PURGE.STREAMS`,
]);

/** Every subject at which the server's answer would do something, with those of other services' messages in progress. */
const replySubjects = (acks: Iterable<string>) => [
  ...destructive,
  ...streams.flatMap(({ subjects }) => subjects),
  ...acks,
  ...streams.map(({ name }) => `$JS.FC.${name}.c.1`),
  ...consumers.map(
    ({ stream, durable }) => `$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.${stream}.${durable}`,
  ),
  '$SYS.REQ.SERVER.PING',
  '$SYS.REQ.ACCOUNT.STREAMS.CLAIMS.UPDATE',
];

type Sending = { subject: string; body: string; once: boolean };

const pulls = ['{"batch":1,"no_wait":true}', ''];

/** Everything that a service may send, from its generated rights. `ackOf` gives the subject of its message in progress. */
function sendingsOf(service: ServiceName, ackOf: (consumer: string) => string): Sending[] {
  const rights = natsRightsOf(service)?.publish ?? [];
  const ofStreams = new Set<string>(streams.flatMap(({ subjects }) => subjects));
  return rights.flatMap((right): Sending[] => {
    const bodies = (subject: string, ...texts: string[]) =>
      texts.map((body) => ({ subject, body, once: ofStreams.has(right) }));
    if (right.includes('.CONSUMER.MSG.NEXT.')) return bodies(right, ...pulls);
    if (!right.startsWith('$JS.ACK.')) return bodies(right.replace(/[*>]$/, 'token'), '{}', '');
    const consumer = right.slice('$JS.ACK.'.length, -'.>'.length);
    // The message comes again, so that the next pull brings an event. What ends a message is said of another.
    const back = ['-NAK', '+WPI'];
    const ends = ['', '+ACK', '+TERM', '+NXT', '+NXT {"batch":1,"no_wait":true}'];
    return [...bodies(ackOf(consumer), ...back), ...bodies(right.replace('>', '1.999.999.1.0'), ...ends)];
  });
}

describe('a reply subject that a service names, on a real server', () => {
  let nats: TestNats;
  let operator: NatsConnection;
  let manager: JetStreamManager;
  /** By `<stream>.<consumer>`: where a message is acknowledged that the consumer has in progress. */
  let acks: Map<string, string>;

  beforeEach(async () => {
    nats = await startNats();
    operator = await connect({ servers: nats.url, ...nats.operator });
    manager = await jetstreamManager(operator);
    const js = jetstream(operator);
    for (const subject of streams.flatMap(({ subjects }) => subjects))
      for (const body of ['{}', '{"n":2}']) await js.publish(subject, body);
    acks = new Map();
    for (const { stream, durable } of consumers) {
      const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`;
      const message = await operator.request(subject, '{"batch":1}', { timeout: 5_000, noMux: true });
      acks.set(`${stream}.${durable}`, message.reply ?? '');
    }
  });
  afterEach(async () => {
    await operator.close();
    await nats.stop();
  });

  /** All streams with the number of messages of each subject, and the consumers of all services but one. */
  async function stateOf(service: ServiceName) {
    const all = await manager.streams.list().next();
    const found = await Promise.all(
      all.map(async ({ config: { name } }) => {
        const { created, config, state } = await manager.streams.info(name, { subjects_filter: '>' });
        return [name, { created, config, first: state.first_seq, subjects: state.subjects ?? {} }] as const;
      }),
    );
    const others = await Promise.all(
      consumers
        .filter((consumer) => consumer.service !== service)
        .map(async ({ stream, durable }) => {
          const info = await manager.consumers.info(stream, durable);
          const { created, config, num_ack_pending, num_redelivered, num_waiting } = info;
          const { delivered, ack_floor } = info;
          const places = { delivered: delivered.stream_seq, acked: ack_floor.stream_seq };
          return { created, config, num_ack_pending, num_redelivered, num_waiting, ...places };
        }),
    );
    const names = await Promise.all(
      found.map(async ([name]) => (await manager.consumers.list(name).next()).map((one) => one.name).sort()),
    );
    return { streams: Object.fromEntries(found), consumers: others, names };
  }

  it('makes the server do what one may not do who has the right to ask for an answer there', async () => {
    // Without it the tests below could not fail.
    await manager.streams.add({ name: 'NEW', subjects: ['new'] });
    await manager.consumers.add('NEW', { durable_name: 'none', ack_policy: 'explicit' as never });
    operator.publish('$JS.API.CONSUMER.MSG.NEXT.NEW.none', pulls[0], {
      reply: '$JS.API.STREAM.PURGE.IDENTITY',
    });
    await operator.request('$JS.API.CONSUMER.MSG.NEXT.NEW.none', pulls[0], {
      timeout: 5_000,
      noMux: true,
    });
    expect((await manager.streams.info('IDENTITY')).state.messages).toBe(0);
  });

  it.each(serviceNames)('lets %s change nothing of anybody else, whatever it sends', async (service) => {
    const before = await stateOf(service);
    const { NATS_URL: servers, NATS_USER: user, NATS_PASSWORD: pass } = nats.user(service);
    const attacker = await connect({ servers, user, pass, inboxPrefix: `_INBOX_${service}` });
    try {
      const rights = natsRightsOf(service);
      // What it hears with a reply subject, it answers: with nothing, and with an event of its own making.
      for (const subject of rights?.subscribe ?? [])
        attacker.subscribe(subject, {
          callback: (_error, { reply }) => {
            if (!reply || rights?.publish.includes(reply)) return;
            for (const body of ['', '{"forged":true}']) attacker.publish(reply, body);
          },
        });
      const sendings = sendingsOf(service, (consumer) => acks.get(consumer) ?? '');
      for (const reply of replySubjects(acks.values())) {
        for (const { subject, body, once } of sendings) {
          const hdrs = headers();
          hdrs.set('Nats-Msg-Id', subject);
          attacker.publish(subject, body, { reply, ...(once && { headers: hdrs }) });
        }
        await attacker.flush();
      }
      await settle(attacker, sendings);
    } finally {
      await attacker.close();
    }
    const mine = new Set<string>(
      types.filter((type) => events[type].owner === service && events[type].stream !== null),
    );
    const expected = structuredClone(before);
    for (const { subjects } of Object.values(expected.streams))
      for (const subject of Object.keys(subjects))
        if (mine.has(subject)) subjects[subject] = (subjects[subject] ?? 0) + 1;
    expect(await stateOf(service)).toEqual(expected);
  });

  /** Each stream sends its answers in their order: after one of its own, the earlier ones have had their effect. */
  async function settle(attacker: NatsConnection, sendings: Sending[]): Promise<void> {
    const asked = sendings.filter(
      ({ subject, body, once }) =>
        once || subject.includes('.INFO.') || (subject.includes('.CONSUMER.MSG.NEXT.') && body === pulls[0]),
    );
    // Twice: an effect may be a request too.
    for (const { subject, body } of [...asked, ...asked]) {
      const hdrs = headers();
      hdrs.set('Nats-Msg-Id', subject);
      const answer = attacker.request(subject, body, { timeout: 10_000, headers: hdrs, noMux: true });
      // A stream that is gone does not answer; the comparison shows that.
      if (!(await answer.catch(() => null))) return;
    }
    await operator.flush();
  }
});
