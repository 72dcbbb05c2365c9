import { type ServiceName, streamsOf } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectAs, startNats, type TestNats } from '../src/index.ts';

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

  it('knows the six services only', () => {
    expect(() => nats.user('stranger')).toThrow('there is no service called stranger');
  });
});
