import { type Connection, createLogger, holdLease, pause } from '@casewatch/platform';
import { connectDatabase, startMongo, type TestMongo, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const log = createLogger('monitor', 'silent');

describe('a lease', () => {
  let mongo: TestMongo;
  let connections: Connection[];
  beforeEach(async () => {
    mongo = await startMongo();
    const url = mongo.url('lease');
    connections = await Promise.all([connectDatabase(url), connectDatabase(url), connectDatabase(url)]);
  });
  afterEach(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await mongo.stop();
  });

  it('is held by one at a time, and each holder has a higher fence', async () => {
    const fences: number[] = [];
    const holding = new Set<number>();
    let mostAtOnce = 0;
    const replicas = connections.map((connection, i) =>
      holdLease({
        connection,
        log,
        name: 'sender',
        ttlMs: 600,
        async whileHeld({ fence, signal }) {
          fences.push(fence);
          holding.add(i);
          mostAtOnce = Math.max(mostAtOnce, holding.size);
          await pause(60_000, signal);
          holding.delete(i);
        },
      }),
    );
    for (const round of [1, 2, 3]) {
      await waitFor(() => fences.length === round && holding.size === 1, { what: `holder ${round}` });
      const [holder] = holding;
      await replicas[holder ?? 0]?.stop();
    }
    expect(mostAtOnce).toBe(1);
    expect(fences).toEqual([1, 2, 3]);
  });

  it('ends by itself when its holder can no longer reach the database', async () => {
    const [connection] = connections;
    if (!connection) throw new Error('no connection');
    let ended = false;
    let held = false;
    const replica = holdLease({
      connection,
      log,
      name: 'sender',
      ttlMs: 600,
      async whileHeld({ signal }) {
        held = true;
        await pause(60_000, signal);
        ended = true;
      },
    });
    await waitFor(() => held, { what: 'the lease' });
    await connection.close(true);
    await waitFor(() => ended, { what: 'the end of the work', timeoutMs: 5_000 });
    await replica.stop();
    expect(ended).toBe(true);
  });
});
