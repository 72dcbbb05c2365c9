import { setTimeout as delay } from 'node:timers/promises';
import { subscriptionsOf } from '@casewatch/contracts';
import { type Base, createBase, type EventHandlers } from '@casewatch/platform';
import { outboxModel, transaction } from '@casewatch/platform/database';
import { emptyDatabase, type ReplicaSet, startNats, waitFor } from '@casewatch/testing';
import type { Result } from './judge.ts';

type Service = 'identity' | 'notifier' | 'webhooks';

const pauseMs = 25;

/** Two replicas of identity, which write events; two of notifier, which handle them; webhooks, which sees them all. */
export async function startElectionWorld(set: ReplicaSet, writers: number) {
  const nats = await startNats();
  const start = <S extends Service>(service: S): Promise<Base<S>> =>
    createBase(
      service,
      {
        LOG_LEVEL: 'silent',
        HOST: '127.0.0.1',
        METRICS_PORT: 0,
        MONGODB_URL: set.url(service),
        ...nats.user(service),
      },
      emptyDatabase,
    );
  const identities = [await start('identity'), await start('identity')] as const;
  const notifiers = [await start('notifier'), await start('notifier')] as const;
  const webhooks = await start('webhooks');
  const all = [...identities, ...notifiers, webhooks];
  const published = new Set<string>();
  const acknowledged = new Set<string>();
  let failures = 0;
  const ending = new AbortController();

  await identities[0].db.createCollection('changes');
  const changes = identities[0].db.collection<{ _id: string }>('changes');
  for (const name of ['handled', 'mails']) await notifiers[0].db.createCollection(name);
  const mails = notifiers[0].db.collection<{ event: string }>('mails');
  for (const base of all) base.startPublishing();
  for (const base of identities) base.consume(handlersOf('identity', {}));
  for (const base of notifiers)
    base.consume(handlersOf('notifier', { 'user.deleted': (_data, { id }) => createMail(base, id) }));
  webhooks.consume(
    handlersOf('webhooks', { 'user.deleted': async (_data, { id }) => void published.add(id) }),
  );

  let next = 0;
  async function write({ db, outbox }: Base<'identity'>): Promise<void> {
    while (!ending.signal.aborted) {
      const user_id = ++next;
      try {
        const id = await transaction(db, async (session) => {
          const data = { user_id, partner_id: 1, version: 1 };
          const _id = await outbox.add(session, 'user.deleted', `user/${user_id}`, data);
          await db.collection<{ _id: string }>('changes').insertOne({ _id }, { session });
          return _id;
        });
        acknowledged.add(id);
      } catch {
        // The transaction may still be committed; the result shows it.
        failures += 1;
      }
      await delay(pauseMs);
    }
  }
  const writing = Array.from({ length: writers }, (_, i) => write(identities[i % 2 === 0 ? 0 : 1]));

  async function result(): Promise<Result> {
    const committed = new Set((await changes.find().toArray()).map(({ _id }) => _id));
    const events = (await mails.find().toArray()).map(({ event }) => event);
    return { committed, acknowledged, published, mails: events, failures };
  }

  async function isSettled(): Promise<boolean> {
    const waiting = await outboxModel(identities[0].db).countDocuments({ published_at: null });
    const { committed, mails } = await result();
    return waiting === 0 && new Set(mails).size >= committed.size && published.size >= committed.size;
  }

  async function endWriters(): Promise<void> {
    ending.abort();
    await Promise.all(writing);
  }

  return {
    progress: () => ({ acknowledged: acknowledged.size, failures }),
    async recovered(timeoutMs: number): Promise<void> {
      const goal = acknowledged.size + writers * 10;
      await waitFor(() => acknowledged.size >= goal, { timeoutMs, what: 'transactions after an election' });
    },
    /** Ends the writers and waits until every committed event is published and handled, or the time is over. */
    async waitUntilQuiet(timeoutMs: number): Promise<void> {
      await endWriters();
      // A missing event is counted by the verdict.
      await waitFor(isSettled, { timeoutMs, intervalMs: 500 }).catch(() => undefined);
    },
    result,
    async stop(): Promise<void> {
      await endWriters();
      await Promise.all(all.map((base) => base.stop()));
      await nats.stop();
    },
  };
}

/** The effect of an event as services have it: a mail in the transaction that notes the event's id, so once only. */
async function createMail({ db }: Base<'notifier'>, _id: string): Promise<void> {
  await transaction(db, async (session) => {
    const handled = db.collection<{ _id: string }>('handled');
    if (await handled.findOne({ _id }, { session })) return;
    await handled.insertOne({ _id }, { session });
    await db.collection<{ event: string }>('mails').insertOne({ event: _id }, { session });
  });
}

/** Handlers of all event types that a service consumes; the types without a handler are ignored. */
function handlersOf(service: Service, handlers: EventHandlers): EventHandlers {
  const types = subscriptionsOf(service).flatMap((subscription) => subscription.types);
  return { ...Object.fromEntries(types.map((type) => [type, async () => {}])), ...handlers };
}
