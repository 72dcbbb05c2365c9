import type { EventType } from '@casewatch/contracts';
import { principalHeader, start } from '@casewatch/platform';
import { connectDatabase, startMongo, startNats, startSibling, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { cases } from '../../src/service.ts';
import { receipt, seen, user } from '../support/fixtures.ts';
import { settings } from '../support/settings.ts';
import { partner } from '../support/start-cases.ts';
import { startProcess } from '../support/start-process.ts';
import { type CaseEvent, endings, leftAfter, storedOf, watchesAfter } from '../support/user-ends.ts';

const path = '/v1/client/users/1/cases';
const moments = ['during the check', 'after the commit'] as const;

describe('kill -9 of the service while it creates a case whose user ends before it is back', () => {
  it.concurrent.each(moments.flatMap((moment) => endings.map((ending) => [moment, ending] as const)))(
    '%s, as %s, leaves no watched case and no orphan',
    async (moment, ending) => {
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

      identity.bus.serve('identity.user', async () => user(1));
      const asked = Promise.withResolvers<void>();
      const mayAnswer = Promise.withResolvers<void>();
      monitor.bus.serve('monitor.check', async () => {
        asked.resolve();
        await mayAnswer.promise;
        return seen();
      });
      await Promise.all([identity.bus.connection.flush(), monitor.bus.connection.flush()]);

      const first = await startProcess(env);
      cleanUps.defer(first.kill);
      const call = { method: 'POST', path };
      const answer = fetch(`http://127.0.0.1:${first.port}${path}`, {
        method: 'POST',
        headers: {
          [principalHeader]: sign({ principal: partner(), address: '203.0.113.7' }, 'cases', call),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ receipt_number: receipt(1), uscis_access_acknowledged: true }),
      }).catch(() => null);
      await asked.promise;
      const isMade = moment === 'after the commit';
      if (isMade) {
        mayAnswer.resolve();
        await waitFor(() => db.collection('cases').findOne({ user_id: 1 }), { intervalMs: 1 });
      }
      await first.kill();
      mayAnswer.resolve();
      await answer;

      const about = { user_id: 1, partner_id: 1, version: 2 };
      await (ending === 'deleted'
        ? identity.publish('user.deleted', about)
        : identity.publish('user.updated', { ...about, status: ending }));
      const second = await start(cases, env);
      cleanUps.defer(second.stop);

      await waitFor(
        async () => {
          const states = db.collection<{ _id: number }>('user_states');
          const isKnown = (await states.findOne({ _id: 1, version: 2 })) !== null;
          const told = await db.collection('outbox').countDocuments({});
          const { watched } = await storedOf(db, 1);
          return isKnown && watched === 0 && events.length === told && told === (isMade ? 2 : 0);
        },
        { timeoutMs: 30_000, what: 'the end' },
      );
      expect([await storedOf(db, 1), watchesAfter(events, 1)]).toEqual([leftAfter(ending, isMade), 0]);
    },
    90_000,
  );
});
