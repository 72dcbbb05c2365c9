import { createLogger, pause } from '@casewatch/platform';
import { type Connection, type HeldLease, heldLeases, holdLease } from '@casewatch/platform/database';
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
      const [holder = 0] = holding;
      expect(connections.map((connection) => heldLeases(connection).get('sender') === true)).toEqual(
        connections.map((_, i) => i === holder),
      );
      await replicas[holder]?.stop();
    }
    // The alert NoLeaseHolder would fire for work that has ended.
    expect(connections.flatMap((connection) => [...heldLeases(connection)])).toEqual([]);
    expect(mostAtOnce).toBe(1);
    expect(fences).toEqual([1, 2, 3]);
  });

  /** Work that goes on for a minute unless its lease ends. */
  async function holdWhilePossible(connection: Connection) {
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
    return { replica, hasEnded: () => ended };
  }

  it('ends by itself when its holder can no longer reach the database', async () => {
    const connection = await connectDatabase(mongo.url('lease'));
    const { replica, hasEnded } = await holdWhilePossible(connection);
    await connection.close(true);
    await waitFor(hasEnded, { what: 'the end of the work', timeoutMs: 5_000 });
    await replica.stop();
    expect(hasEnded()).toBe(true);
  });

  it('ends by itself when the database stands still, though no renewal has failed', async () => {
    const own = await startMongo({ own: true });
    const connection = await connectDatabase(own.url('lease'));
    const { replica, hasEnded } = await holdWhilePossible(connection);
    const pid = own.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    // Before a renewal that is not answered is given up: 9 s.
    await waitFor(hasEnded, { what: 'the end of the work', timeoutMs: 6_000 }).finally(() =>
      process.kill(pid, 'SIGCONT'),
    );
    await replica.stop();
    await connection.close();
    await own.stop();
  });

  /** Signals within this process. */
  function localSignals() {
    const listeners = new Set<() => void>();
    return {
      notify() {
        for (const wake of listeners) wake();
      },
      subscribe(wake: () => void) {
        listeners.add(wake);
        return () => void listeners.delete(wake);
      },
    };
  }

  function hold(connection: Connection | undefined, options: Partial<Parameters<typeof holdLease>[0]>) {
    if (!connection) throw new Error('no connection');
    const holds: HeldLease[] = [];
    const replica = holdLease({
      connection,
      log,
      name: 'sender',
      ttlMs: 6_000,
      async whileHeld(lease) {
        holds.push(lease);
        await pause(60_000, lease.signal);
      },
      ...options,
    });
    return { holds, stop: replica.stop };
  }

  it('is asked for once by a standby until it ends, and passes on immediately when it is given back', async () => {
    const signals = localSignals();
    const holder = hold(connections[0], { signals });
    await waitFor(() => holder.holds.length === 1);
    // Other tests use the same server: the profiler counts in this database only.
    const db = connections[2]?.db;
    await db?.command({ profile: 2 });
    const standby = hold(connections[1], { signals });
    const attempts = () =>
      db?.collection('system.profile').countDocuments({ op: 'command', 'command.findAndModify': 'leases' });
    await pause(3_000, new AbortController().signal);
    // One of the standby, one renewal of the holder; every 250 ms before.
    const count = await attempts();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(3);
    await db?.command({ profile: 0 });
    const stoppedMs = performance.now();
    await holder.stop();
    await waitFor(() => standby.holds.length === 1);
    expect(performance.now() - stoppedMs).toBeLessThan(1_000);
    await standby.stop();
  });

  it('can be given back before the work of its holder has ended', async () => {
    const signals = localSignals();
    const finish = Promise.withResolvers<void>();
    let started = false;
    const whileHeld = async () => {
      started = true;
      await finish.promise;
    };
    const holder = hold(connections[0], { signals, releasesFirst: true, whileHeld });
    await waitFor(() => started);
    const standby = hold(connections[1], { signals, releasesFirst: true });
    const stopping = holder.stop();
    await waitFor(() => standby.holds.length === 1, { timeoutMs: 3_000, what: 'the next holder' });
    finish.resolve();
    await Promise.all([stopping, standby.stop()]);
  });

  it('ends where the wall clock has passed it, though the monotonic clock stood still', async () => {
    const holder = hold(connections[0], {});
    await waitFor(() => holder.holds.length === 1);
    const realNow = Date.now;
    // A virtual machine was suspended for a minute.
    Date.now = () => realNow() + 60_000;
    try {
      expect(holder.holds[0]?.validForMs()).toBeLessThan(0);
      await waitFor(() => holder.holds[0]?.signal.aborted, {
        timeoutMs: 3_000,
        what: 'the end of the lease',
      });
    } finally {
      Date.now = realNow;
    }
    await holder.stop();
  });

  it('counts as lost after a suspension that is shorter than its time, and is acquired again when the time is known', async () => {
    const known = Promise.withResolvers<void>();
    let asked = 0;
    const measured = () => {
      asked += 1;
      return asked > 1 ? known.promise : undefined;
    };
    const holder = hold(connections[0], { ttlMs: 60_000, measured });
    await waitFor(() => holder.holds.length === 1);
    const realNow = Date.now;
    Date.now = () => realNow() + 2_500;
    try {
      expect(holder.holds[0]?.validForMs()).toBeLessThan(0);
      await waitFor(() => asked === 2, { what: 'the question for the time' });
      expect(holder.holds[0]?.signal.aborted).toBe(true);
      expect(holder.holds).toHaveLength(1);
      known.resolve();
      await waitFor(() => holder.holds.length === 2, { what: 'the next term' });
      expect(holder.holds[1]?.validForMs()).toBeGreaterThan(0);
    } finally {
      Date.now = realNow;
    }
    await holder.stop();
  });

  it('stays where the wall clock moved less', async () => {
    const holder = hold(connections[0], { ttlMs: 60_000 });
    await waitFor(() => holder.holds.length === 1);
    const realNow = Date.now;
    Date.now = () => realNow() + 1_500;
    try {
      expect(holder.holds[0]?.validForMs()).toBeGreaterThan(0);
    } finally {
      Date.now = realNow;
    }
    await holder.stop();
  });
});
