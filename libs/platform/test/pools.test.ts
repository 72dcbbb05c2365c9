import { type Base, createBase } from '@casewatch/platform';
import { outboxModel } from '@casewatch/platform/database';
import {
  emptyDatabase,
  type FailingMongo,
  startFailingMongo,
  startNats,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

type Use = 'requests' | 'background';

const connections = 20;

describe('the pools of a service', () => {
  let mongo: FailingMongo;
  let nats: TestNats;
  let identity: Base<'identity'>;
  beforeAll(async () => {
    [mongo, nats] = await Promise.all([startFailingMongo(), startNats()]);
    const settings = { LOG_LEVEL: 'silent', HOST: '127.0.0.1', METRICS_PORT: 0, ...nats.user('identity') };
    identity = await createBase(
      'identity',
      { ...settings, MONGODB_URL: mongo.url('identity') },
      emptyDatabase,
    );
    identity.startPublishing();
  });
  afterEach(() => mongo.failPoint('failCommand', 'off'));
  afterAll(async () => {
    await identity.stop();
    await Promise.all([mongo.stop(), nats.stop()]);
  });

  const read = (use: Use) => outboxModel(use === 'requests' ? identity.db : identity.background.db).findOne();
  const lease = async () => {
    const row = await identity.leases
      .collection<{ _id: string; until: Date; fence: number }>('leases')
      .findOne();
    return row ?? { until: new Date(0), fence: 0 };
  };

  /** Starts twice as many commands as the pool has connections; each takes three seconds. */
  async function fill(use: Use): Promise<{ reads: Promise<PromiseSettledResult<unknown>[]> }> {
    const hangs = { blockConnection: true, blockTimeMS: 3_000, appName: `casewatch identity ${use}` };
    await mongo.failPoint('failCommand', 'alwaysOn', { failCommands: ['find'], ...hangs });
    const reads = Promise.allSettled(Array.from({ length: 2 * connections }, () => read(use)));
    await mongo.command({ waitForFailPoint: 'failCommand', timesEntered: connections, maxTimeMS: 30_000 });
    return { reads };
  }

  it.each<[Use, Use, string[]]>([
    ['requests', 'background', ['MongoWaitQueueTimeoutError']],
    ['background', 'requests', []],
  ])('%s that are full hold up neither %s nor the leases', async (full, other, errors) => {
    const before = await waitFor(async () => ((await lease()).fence > 0 ? await lease() : null));
    const { reads } = await fill(full);
    await read(other);
    await waitFor(async () => (await lease()).until > before.until, {
      timeoutMs: 20_000,
      what: 'a renewal',
    });
    expect((await lease()).fence).toBe(before.fence);
    // A caller gets its 503 in time; background work waits until it is its turn.
    const failures = (await reads).flatMap((result) =>
      result.status === 'rejected' ? [result.reason.name] : [],
    );
    expect([...new Set(failures)]).toEqual(errors);
  });
});
