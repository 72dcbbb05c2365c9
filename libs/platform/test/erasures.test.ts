import { createLogger, type EventHandlers } from '@casewatch/platform';
import { onlyEventId, outboxModel, transaction } from '@casewatch/platform/database';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { applyErasures } from '../src/events/apply-erasures.ts';
import { startBases, type TestBases } from './support/start-bases.ts';

const dayMs = 24 * 60 * 60 * 1_000;

describe('erasures', () => {
  let bases: TestBases;
  beforeEach(async () => {
    bases = await startBases();
  });
  afterEach(() => bases.stop());

  async function observe() {
    const connection = await connect({ servers: bases.nats.url, ...bases.nats.operator });
    return { manager: await jetstreamManager(connection), close: () => connection.close() };
  }

  const add = (identity: Awaited<ReturnType<typeof identityBase>>, user_id: number) =>
    transaction(identity.db, (session) => {
      const about = `user/${user_id}`;
      const data = { user_id, partner_id: null, erased_at: '2026-10-01T10:00:00.000Z' };
      const id = onlyEventId('erasure.recorded', about);
      return identity.outbox.add(session, 'erasure.recorded', about, data, id);
    });
  const identityBase = () => bases.base('identity');

  it('stay in the stream and the outbox for 400 days, other events for 7 and 8', async () => {
    const identity = await identityBase();
    const { manager, close } = await observe();
    const ages = Object.fromEntries(
      await Promise.all(
        ['ERASED', 'IDENTITY', 'CASES'].map(async (name) => [
          name,
          (await manager.streams.info(name)).config.max_age / 1e6 / dayMs,
        ]),
      ),
    );
    expect(ages).toEqual({ ERASED: 400, IDENTITY: 7, CASES: 7 });
    await close();

    await add(identity, 7);
    const user = { user_id: 7, partner_id: null, version: 2 };
    await transaction(identity.db, (session) => identity.outbox.add(session, 'user.deleted', 'user/7', user));
    const rows = await outboxModel(identity.db).find().lean();
    const keptDays = rows.map(({ type, kept_until, created_at }) => [
      type,
      kept_until && (kept_until.getTime() - created_at.getTime()) / dayMs,
    ]);
    expect(Object.fromEntries(keptDays)).toEqual({ 'erasure.recorded': 400, 'user.deleted': undefined });
    // MongoDB removes what these indexes have, the first after 8 days, the second at the time of the row.
    const ofIndex = async (name: string) => {
      const found = await outboxModel(identity.db).collection.find(
        name === 'expiry' ? { kept_until: null } : {},
        { hint: name },
      );
      return (await found.toArray()).map(({ type }) => type);
    };
    expect(await ofIndex('expiry')).toEqual(['user.deleted']);
    const indexes = await outboxModel(identity.db).collection.indexes();
    expect(indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).toMatchObject([
      {
        key: { published_at: 1 },
        expireAfterSeconds: 8 * 86_400,
        partialFilterExpression: { kept_until: null },
      },
      { key: { kept_until: 1 }, expireAfterSeconds: 0 },
    ]);
  });

  it('are one event for each user, however often they are recorded', async () => {
    const identity = await identityBase();
    const first = await add(identity, 7);
    await outboxModel(identity.db).updateOne({ _id: first }, { $set: { published_at: new Date(0) } });
    expect(await add(identity, 7)).toBe(first);
    expect(await add(identity, 8)).not.toBe(first);
    const row = await outboxModel(identity.db).findById(first).lean();
    expect(row?.published_at).toEqual(new Date(0));
  });

  it('come back to a lost stream, also those of a year ago', async () => {
    const identity = await identityBase();
    identity.startPublishing();
    const old = await add(identity, 7);
    const { manager, close } = await observe();
    const count = async () => (await manager.streams.info('ERASED')).state.messages;
    const isPublished = async () =>
      (await outboxModel(identity.db).countDocuments({ published_at: null })) === 0;
    await waitFor(async () => (await isPublished()) && (await count()) === 1, { what: 'the publication' });
    const yearAgo = new Date(Date.now() - 365 * dayMs);
    await outboxModel(identity.db).updateOne({ _id: old }, { $set: { published_at: yearAgo } });
    await manager.streams.delete('ERASED');
    const again = async () => (await count().catch(() => 0)) === 1;
    await waitFor(again, { what: 'the event again', timeoutMs: 30_000 });
    const message = await manager.streams.getMessage('ERASED', { last_by_subj: 'erasure.recorded' });
    expect(message?.json()).toMatchObject({ id: old, data: { user_id: 7 } });
    await close();
  });

  describe('before the start of a service', () => {
    const options = (base: Awaited<ReturnType<typeof casesBase>>, handlers: EventHandlers) => ({
      ...{
        service: base.service,
        bus: base.bus,
        connection: base.db,
        leases: base.leases,
        clock: base.clock,
        log: createLogger('cases', 'silent'),
      },
      handlers,
    });
    const casesBase = () => bases.base('cases');

    async function published(userIds: readonly number[], total = userIds.length) {
      const identity = await identityBase();
      identity.startPublishing();
      for (const id of userIds) await add(identity, id);
      const { manager, close } = await observe();
      const count = async () => (await manager.streams.info('ERASED')).state.messages;
      await waitFor(async () => (await count()) === total, { what: 'the events' });
      await close();
    }

    it('are all handled, and none is waited for where none waits', async () => {
      const cases = await casesBase();
      const handled: number[] = [];
      const handlers: EventHandlers = {
        'erasure.recorded': async ({ user_id }) => void handled.push(user_id),
      };
      await applyErasures(options(cases, handlers));
      expect(handled).toEqual([]);
      const ids = Array.from({ length: 40 }, (_, i) => i + 1);
      await published(ids);
      await applyErasures(options(cases, handlers));
      // At least once each.
      expect([...new Set(handled)].toSorted((a, b) => a - b)).toEqual(ids);
      const count = handled.length;
      await applyErasures(options(cases, handlers));
      expect(handled).toHaveLength(count);
    });

    it('are tried until they succeed, and given up only without progress', async () => {
      const cases = await casesBase();
      await published([7, 8]);
      let isBroken = true;
      let tries = 0;
      const handlers: EventHandlers = {
        'erasure.recorded': async ({ user_id }) => {
          if (user_id === 8) return;
          tries += 1;
          if (isBroken && tries > 1) isBroken = false;
          else if (isBroken) throw new TypeError('a fault of the program');
        },
      };
      await applyErasures(options(cases, handlers));
      expect([isBroken, tries]).toEqual([false, 2]);

      await published([9], 3);
      const failing: EventHandlers = {
        'erasure.recorded': async () => {
          throw new TypeError('a fault of the program');
        },
      };
      await applyErasures(options(cases, failing), 500);
    });
  });
});
