import { consumersOf, type ServiceName, streamsOf } from '@casewatch/contracts';
import { type Bus, importedApi } from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connectAs, startNats, startSibling, type TestNats } from '../src/index.ts';

describe('startNats', () => {
  let nats: TestNats;
  const buses: Bus[] = [];

  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    await nats.stop();
  });

  const deletionOf = (userId: number) => ({ user_id: userId, partner_id: 1, version: 2 });

  async function connected(service: ServiceName): Promise<Bus> {
    const bus = await connectAs(nats, service);
    buses.push(bus);
    return bus;
  }

  it('acknowledges what a service publishes to its own stream', async () => {
    const { connection } = await connected('cases');
    const [stream] = streamsOf('cases');
    if (stream === undefined) throw new Error('cases owns no stream');
    const acknowledgement = await connection.request(stream.subjects[0] ?? '', '{}');
    expect(acknowledgement.json()).toMatchObject({ stream: stream.name, seq: 1 });
  });

  it('refuses what belongs to another service', async () => {
    const { connection } = await connected('notifier');
    const foreign = streamsOf('cases')[0]?.subjects[0] ?? '';
    await expect(connection.request(foreign, '{}', { timeout: 1_000 })).rejects.toThrow(
      /permissions violation/i,
    );
  });

  it('is taken again after `free`, without the events of before', async () => {
    const used = await startNats();
    const identity = await startSibling('identity', used);
    for (const userId of [1, 2]) await identity.publish('user.deleted', deletionOf(userId));
    const bus = await connectAs(used, 'cases');
    const [place] = consumersOf('cases').filter(({ subjects }) => subjects.includes('user.deleted'));
    if (!place) throw new Error('cases consumes user.deleted');
    const consumer = await jetstream(bus.connection, importedApi).consumers.get(place.stream, place.durable);
    expect((await consumer.next())?.json()).toMatchObject({ data: deletionOf(1) });
    expect(await consumer.info()).toMatchObject({ num_ack_pending: 1, num_pending: 1 });
    await Promise.all([identity.stop(), bus.stop()]);
    await used.free();

    const taken = await startNats();
    expect(taken.url).toBe(used.url);
    const cases = await connectAs(taken, 'cases');
    const same = await jetstream(cases.connection, importedApi).consumers.get(place.stream, place.durable);
    expect(await same.info()).toMatchObject({ num_ack_pending: 0, num_pending: 0 });
    const later = await startSibling('identity', taken);
    await later.publish('user.deleted', deletionOf(3));
    expect((await same.next())?.json()).toMatchObject({ data: deletionOf(3) });
    await Promise.all([later.stop(), cases.stop()]);
    await taken.stop();
  });

  it('knows the six services only', () => {
    expect(() => nats.user('stranger')).toThrow('there is no service called stranger');
  });
});
