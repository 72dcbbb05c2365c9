import { setTimeout as delay } from 'node:timers/promises';
import { subscriptionsOf } from '@casewatch/contracts';
import { type Base, createBase, type EventHandlers, outboxModel, transaction } from '@casewatch/platform';
import { emptyDatabase, type ReplicaSet, startNats, waitFor } from '@casewatch/testing';
import { createEffects } from './effects.ts';
import type { Found } from './judge.ts';

export type ElectionWorld = {
  /** Events whose transactions were told to be committed. */
  readonly told: ReadonlySet<string>;
  failures(): number;
  /** Waits until transactions are committed again. */
  recovered(timeoutMs: number): Promise<void>;
  /** Ends the writers and waits until what they committed is published and handled, or the time is over. */
  settle(timeoutMs: number): Promise<void>;
  found(): Promise<Found>;
  stop(): Promise<void>;
};

/** Between two transactions of a writer, ms. */
const pauseMs = 25;

type Change = { _id: string };

/**
 * Two replicas of identity, whose writers make changes and their events, two of notifier, which have an effect for each event, and
 * one of webhooks, which sees all that is published.
 */
export async function startElectionWorld(set: ReplicaSet, writers: number): Promise<ElectionWorld> {
  const nats = await startNats();
  const settings = { LOG_LEVEL: 'silent', HOST: '127.0.0.1', METRICS_PORT: 0 };
  const identities = [await base('identity'), await base('identity')];
  const notifiers = [await base('notifier'), await base('notifier')];
  const webhooks = await base('webhooks');
  const published = new Set<string>();
  const told = new Set<string>();
  let failures = 0;
  const ending = new AbortController();

  async function base<S extends 'identity' | 'notifier' | 'webhooks'>(service: S): Promise<Base<S>> {
    return await createBase(
      service,
      {
        ...settings,
        MONGODB_URL: set.url(service),
        ...nats.user(service),
      },
      emptyDatabase,
    );
  }

  const [identity] = identities;
  const [notifier] = notifiers;
  if (!identity || !notifier) throw new Error('there are replicas');
  const changes = identity.db.collection<Change>('changes');
  await identity.db.createCollection('changes');
  const effects = await createEffects(notifier);
  for (const one of [...identities, ...notifiers, webhooks]) one.startPublishing();
  for (const one of identities) one.consume(allOf('identity', {}));
  for (const one of notifiers)
    one.consume(allOf('notifier', { 'user.deleted': async (_data, { id }) => await effects.make(one, id) }));
  webhooks.consume(allOf('webhooks', { 'user.deleted': async (_data, { id }) => void published.add(id) }));

  let next = 0;
  async function write({ db, outbox }: Base<'identity'>): Promise<void> {
    while (!ending.signal.aborted) {
      const user_id = ++next;
      try {
        const id = await transaction(db, async (session) => {
          const data = { user_id, partner_id: 1, version: 1 };
          const _id = await outbox.add(session, 'user.deleted', `user/${user_id}`, data);
          await db.collection<Change>('changes').insertOne({ _id }, { session });
          return _id;
        });
        told.add(id);
      } catch {
        // Told to have failed: it may be committed or rolled back, which the end shows.
        failures += 1;
      }
      await delay(pauseMs);
    }
  }
  const writing = Array.from({ length: writers }, (_, i) => write(identities[i % 2] ?? identity));

  const ids = async () => new Set((await changes.find().toArray()).map(({ _id }) => _id));
  const isSettled = async () => {
    const waiting = await outboxModel(identity.db).countDocuments({ published_at: null });
    const committed = await ids();
    return (
      waiting === 0 &&
      new Set(await effects.mails()).size >= committed.size &&
      published.size >= committed.size
    );
  };

  return {
    told,
    failures: () => failures,
    async recovered(timeoutMs) {
      const goal = told.size + writers * 10;
      await waitFor(() => told.size >= goal, { timeoutMs, what: 'transactions after an election' });
    },
    async settle(timeoutMs) {
      ending.abort();
      await Promise.all(writing);
      // What is missing at the end is the verdict's to say.
      await waitFor(isSettled, { timeoutMs, intervalMs: 500 }).catch(() => undefined);
    },
    async found() {
      return { committed: await ids(), told, published, failures, mails: await effects.mails() };
    },
    async stop() {
      ending.abort();
      await Promise.all(writing);
      await Promise.all([...identities, ...notifiers, webhooks].map((one) => one.stop()));
      await nats.stop();
    },
  };
}

/** Handlers of all types that a service consumes; those that are not given do nothing. */
function allOf(service: 'identity' | 'notifier' | 'webhooks', given: EventHandlers): EventHandlers {
  const types = subscriptionsOf(service).flatMap((subscription) => subscription.types);
  return { ...Object.fromEntries(types.map((type) => [type, async () => {}])), ...given };
}
