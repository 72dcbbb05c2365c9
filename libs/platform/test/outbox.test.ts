import { randomUUID } from 'node:crypto';
import type { EventData } from '@casewatch/contracts';
import { PoisonError, RetryLaterError } from '@casewatch/platform';
import { outboxModel, outboxSubject, transaction } from '@casewatch/platform/database';
import { connectAs, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { countDeadLetters } from '../src/events/failed-events.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

const deletedUser: EventData<'user.deleted'> = { user_id: 7, partner_id: 1, version: 2 };
const opted: EventData<'contact.opted_out'> = {
  user_id: 7,
  channel: 'email',
  at: '2026-11-21T10:00:00.000Z',
};

/** Handlers for everything that the notifier and identity consume, of which a test replaces what it looks at. */
const notifierHandlers = {
  ...noHandlers('notifier'),
  'user.deleted': async () => {},
};

/** Each test has servers of its own, so that their waits overlap. */
describe('the outbox, its relay and the consumers', () => {
  it('publishes what a committed transaction added, and nothing of one that failed', async () => {
    await using bases = await startBases();
    const [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    const seen: number[] = [];
    notifier.startPublishing();
    notifier.consume({ ...notifierHandlers, 'user.deleted': async ({ user_id }) => void seen.push(user_id) });
    identity.startPublishing();
    identity.consume(noHandlers('identity'));

    const failing = transaction(identity.db, async (session) => {
      await identity.outbox.add(session, 'user.deleted', 'user/6', { ...deletedUser, user_id: 6 });
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    await transaction(identity.db, (session) =>
      identity.outbox.add(session, 'user.deleted', 'user/7', deletedUser),
    );

    await waitFor(() => seen.length > 0, { what: 'the event' });
    await waitFor(async () => (await outboxModel(identity.db).countDocuments({ published_at: null })) === 0, {
      what: 'an empty outbox',
    });
    expect(seen).toEqual([7]);
  });

  it('tells the relay when a transaction that added something is over, once and not before', async () => {
    await using bases = await startBases();
    const identity = await bases.base('identity');
    await listenToWakeUps(bases, async (words) => {
      let inside = -1;
      await transaction(identity.db, async (session) => {
        await identity.outbox.add(session, 'user.deleted', 'user/7', deletedUser);
        await identity.outbox.add(session, 'user.deleted', 'user/8', { ...deletedUser, user_id: 8 });
        await identity.bus.connection.flush();
        inside = words();
      });
      await waitFor(() => words() > 0, { what: 'the word' });
      expect({ inside, after: words() }).toEqual({ inside: 0, after: 1 });
    });
  });

  it('refuses an event of another owner on the bus', async () => {
    await using bases = await startBases();
    const notifier = await bases.base('notifier');
    const refused: unknown[] = [];
    void (async () => {
      for await (const status of notifier.bus.connection.status())
        if (status.type === 'error') refused.push(status.error);
    })();
    notifier.bus.connection.publish('user.deleted', '{}');
    await waitFor(() => refused.length > 0, { what: 'the permission violation' });
    expect(String(refused[0])).toContain('Permissions Violation');
  });

  it('does not handle an event whose envelope claims the type of another owner', async () => {
    await using bases = await startBases();
    const [cases, notifier] = await Promise.all([bases.base('cases'), bases.base('notifier')]);
    const erased: number[] = [];
    cases.startPublishing();
    cases.consume({
      ...noHandlers('cases'),
      'user.deleted': async ({ user_id }) => void erased.push(user_id),
    });
    const forged = {
      ...{ specversion: '1.0', id: randomUUID(), source: '/casewatch/identity', type: 'user.deleted' },
      ...{ subject: 'user/7', time: '2026-11-21T10:00:00.000Z', datacontenttype: 'application/json' },
      data: deletedUser,
    };
    await notifier.bus.connection.request('notification.updated', JSON.stringify(forged));
    const letters = () => countDeadLetters(cases.db);
    await waitFor(async () => erased.length > 0 || (await letters()) === 1, {
      what: 'the dead letter',
      timeoutMs: 25_000,
    });
    expect(erased).toEqual([]);
  });

  it('hands an event over again while its handler asks for later, then once it is done never again', async () => {
    await using bases = await startBases();
    const [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    let tries = 0;
    notifier.startPublishing();
    notifier.consume({
      ...notifierHandlers,
      'user.deleted': async () => {
        tries += 1;
        if (tries < 3) throw new RetryLaterError('a sibling is away');
      },
    });
    identity.startPublishing();
    identity.consume(noHandlers('identity'));
    await transaction(identity.db, (session) =>
      identity.outbox.add(session, 'user.deleted', 'user/7', deletedUser),
    );
    await waitFor(() => tries === 3, { what: 'the third try' });
    const pending = () =>
      observe(
        bases,
        async (manager) => (await manager.consumers.info('IDENTITY', 'notifier-identity')).num_ack_pending,
      );
    await waitFor(async () => (await pending()) === 0, { what: 'the acknowledgement' });
    expect(tries).toBe(3);
  });

  it('rebuilds a wiped stream from the outbox, with the same ids', async () => {
    await using bases = await startBases();
    const identity = await bases.base('identity');
    const notifier = await bases.base('notifier');
    const ids: string[] = [];
    notifier.startPublishing();
    notifier.consume({ ...notifierHandlers, 'user.deleted': async (_data, { id }) => void ids.push(id) });
    identity.startPublishing();
    identity.consume(noHandlers('identity'));
    const id = await transaction(identity.db, (session) =>
      identity.outbox.add(session, 'user.deleted', 'user/7', deletedUser),
    );
    await waitFor(() => ids.length === 1, { what: 'the event' });

    await observe(bases, (manager) => manager.streams.delete('IDENTITY'));
    await waitFor(() => ids.length === 2, { what: 'the event again', timeoutMs: 15_000 });
    expect(ids).toEqual([id, id]);
  });

  it('puts what breaks an invariant aside at once, and goes on with its neighbours', async () => {
    await using bases = await startBases();
    const [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    const handled: number[] = [];
    identity.startPublishing();
    identity.consume({
      ...noHandlers('identity'),
      'contact.opted_out': async ({ user_id }) => {
        if (user_id === 7) throw new PoisonError('an invariant is broken');
        handled.push(user_id);
      },
    });
    notifier.startPublishing();
    notifier.consume(notifierHandlers);
    await transaction(notifier.db, async (session) => {
      await notifier.outbox.add(session, 'contact.opted_out', 'user/7', opted);
      await notifier.outbox.add(session, 'contact.opted_out', 'user/8', { ...opted, user_id: 8 });
    });
    await waitFor(() => handled.length > 0, { what: 'the neighbour' });
    const letters = () => countDeadLetters(identity.db);
    await waitFor(async () => (await letters()) === 1, { what: 'the dead letter' });
    expect(handled).toEqual([8]);
  });
});

/** Counts the wake-ups of identity's relay while `work` runs, as another replica. */
async function listenToWakeUps(
  bases: TestBases,
  work: (words: () => number) => Promise<void>,
): Promise<void> {
  const { connection } = await connectAs(bases.nats, 'identity');
  try {
    let count = 0;
    connection.subscribe(outboxSubject('identity'), {
      callback: () => {
        count += 1;
      },
    });
    await connection.flush();
    await work(() => count);
  } finally {
    await connection.close();
  }
}

/** JetStream as an operator sees it: a service's own rights do not reach this far. */
async function observe<T>(bases: TestBases, look: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: bases.nats.url, ...bases.nats.operator });
  try {
    return await look(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}
