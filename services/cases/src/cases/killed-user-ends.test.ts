import type { EventType } from '@casewatch/contracts';
import { principalHeader, start } from '@casewatch/platform';
import {
  connectDatabase,
  servePeople,
  startMongo,
  startNats,
  startSibling,
  waitFor,
} from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { settings } from '../../test/support/settings.ts';
import { partner } from '../../test/support/start-cases.ts';
import { startProcess } from '../../test/support/start-process.ts';
import { type CaseEvent, endings, leftAfter, storedOf, watchesAfter } from '../../test/support/user-ends.ts';
import { cases } from '../service.ts';

/** Whose creation has come how far when the service is killed. */
const inCheck = 1;
const committed = 2;
const userIds = [inCheck, committed];

describe('kill -9 of the service while it creates cases whose users end before it is back', () => {
  it.each(endings)(
    'during the check and after the commit, as %s, leaves no watched case and no orphan',
    async (ending) => {
      await using cleanUps = new AsyncDisposableStack();
      const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
      const { env, config, sign } = settings(mongo, nats);
      const identity = await startSibling('identity', nats);
      const monitor = await startSibling('monitor', nats);
      const db = await connectDatabase(config.MONGODB_URL);
      for (const stop of [mongo.stop, nats.stop, identity.stop, monitor.stop, () => db.close()])
        cleanUps.defer(stop);
      const events: CaseEvent[] = [];
      const keep = (type: EventType) => async (data: Record<string, unknown>) => {
        events.push({ type, data });
      };
      await monitor.consume({
        'case.created': keep('case.created'),
        'case.updated': keep('case.updated'),
        'case.deleted': keep('case.deleted'),
      });

      servePeople(identity.bus, (id) => user(id));
      identity.bus.serve('identity.partner', async () => ({ email: '' }));
      const asked = new Set<string>();
      const mayCommit = Promise.withResolvers<void>();
      const isKilled = Promise.withResolvers<void>();
      monitor.bus.serve('monitor.check', async ({ receipt_number }) => {
        asked.add(receipt_number);
        await (receipt_number === receipt(committed) ? mayCommit : isKilled).promise;
        return seen();
      });
      await Promise.all([identity.bus.connection.flush(), monitor.bus.connection.flush()]);

      const first = await startProcess(env);
      cleanUps.defer(first.kill);
      const create = async (userId: number) => {
        const path = `/v1/client/users/${userId}/cases`;
        const call = { method: 'POST', path };
        const principal = sign({ principal: partner(), address: '203.0.113.7' }, 'cases', call);
        await fetch(`http://127.0.0.1:${first.port}${path}`, {
          method: 'POST',
          headers: { [principalHeader]: principal, 'content-type': 'application/json' },
          body: JSON.stringify({ receipt_number: receipt(userId), uscis_access_acknowledged: true }),
        });
      };
      // The killed service does not answer.
      const answers = userIds.map((id) => create(id).catch(() => null));
      await waitFor(() => asked.size === userIds.length, { what: 'both checks' });
      mayCommit.resolve();
      await waitFor(() => db.collection('cases').findOne({ user_id: committed }), { intervalMs: 1 });
      await first.kill();
      isKilled.resolve();
      await Promise.all(answers);

      for (const user_id of userIds) {
        const about = { user_id, partner_id: 1, version: 2 };
        await (ending === 'deleted'
          ? identity.publish('user.deleted', about)
          : identity.publish('user.updated', { ...about, status: ending }));
      }
      const second = await start(cases, env);
      cleanUps.defer(second.stop);

      await waitFor(
        async () => {
          const states = db.collection<{ _id: number }>('user_states');
          const known = await states.countDocuments({ _id: { $in: userIds }, version: 2 });
          const told = await db.collection('outbox').countDocuments({ type: { $ne: 'cases.audited' } });
          const { watched } = await storedOf(db, committed);
          return known === userIds.length && watched === 0 && events.length === told && told === 2;
        },
        { timeoutMs: 30_000, what: 'the end' },
      );
      for (const id of userIds) {
        const left = leftAfter(ending, id === committed);
        expect([await storedOf(db, id), watchesAfter(events, id)]).toEqual([left, 0]);
      }
    },
  );
});
