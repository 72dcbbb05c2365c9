import type { PartnerPrincipal } from '@casewatch/contracts';
import type { Call } from '@casewatch/platform';
import { servePeople, startMongo, startNats, startSibling } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { contextOn, delivery, outboxOf } from '../../test/support/open-context.ts';
import {
  type Ending,
  endings,
  leftAfter,
  refusalAfter,
  storedOf,
  watchesAfter,
} from '../../test/support/user-ends.ts';
import type { Context } from '../context.ts';
import { checkAndStore } from './create-case.ts';
import { onUserChanged, onUserDeleted } from './people.ts';

/** Where in the storing of a case the user's end falls: `work` is done there, once. */
type Point = (ctx: Context, work: () => Promise<void>) => Context;

/** Places before the case's transaction has written anything: the creation is refused. */
const before: [what: string, at: Point][] = [
  [
    'between the check and the transaction',
    (ctx, work) => ({ ...ctx, ids: { ...ctx.ids, next: onFirst(ctx.ids.next, work) } }),
  ],
  [
    'within the transaction, after it has read the user and before it writes them',
    (ctx, work) => ({
      ...ctx,
      stores: {
        ...ctx.stores,
        userStates: { ...ctx.stores.userStates, reserve: onFirst(ctx.stores.userStates.reserve, work) },
      },
    }),
  ],
];

describe('a user who ends while their case is stored', () => {
  let ctx: Context;
  let userId = 100;
  const cleanUps: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
    const siblings = [await startSibling('identity', nats), await startSibling('monitor', nats)] as const;
    // What identity says is what was so when it was asked: the end comes after that.
    servePeople(siblings[0].bus, (id) => user(id));
    siblings[0].bus.serve('identity.partner', async () => ({ email: '' }));
    siblings[1].bus.serve('monitor.check', async () => seen());
    await Promise.all(siblings.map(({ bus }) => bus.connection.flush()));
    const opened = await contextOn(mongo, nats);
    ctx = opened.ctx;
    cleanUps.push(opened.stop, ...siblings.map(({ stop }) => stop), nats.stop, mongo.stop);
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  beforeEach(() => {
    userId += 1;
  });

  const end = async (ending: Ending): Promise<void> => {
    const about = { user_id: userId, partner_id: 1, version: 2 };
    if (ending === 'deleted') await onUserDeleted(ctx)(about, delivery);
    else await onUserChanged(ctx)({ ...about, status: ending });
  };
  const create = (at: Context) =>
    checkAndStore(at, creationOf(userId), ({ _id }) => `/v1/client/cases/${_id}`);
  const left = async () => [await storedOf(ctx.db, userId), watchesAfter(await outboxOf(ctx), userId)];

  it.each(before.flatMap(([what, at]) => endings.map((ending) => [ending, what, at] as const)))(
    'as %s, %s, has no case',
    async (ending, _what, at) => {
      const [status, code] = refusalAfter(ending);
      await expect(create(at(ctx, () => end(ending)))).rejects.toMatchObject({ status, code });
      expect(await left()).toEqual([leftAfter(ending, false), 0]);
    },
  );

  it.each(endings)(
    'as %s, within the transaction after it has written them, has no watched case',
    async (ending) => {
      let ended: Promise<void> | undefined;
      const insert = onFirst(ctx.stores.cases.insert, async () => {
        // It cannot be waited for here: it waits for this very transaction.
        ended = end(ending);
      });
      await create({ ...ctx, stores: { ...ctx.stores, cases: { ...ctx.stores.cases, insert } } });
      await ended;
      expect(await left()).toEqual([leftAfter(ending, true), 0]);
    },
  );

  it.each(endings)(
    'as %s, after the commit and before anything is published, has no watched case',
    async (ending) => {
      await create(ctx);
      const unpublished = await ctx.db.collection('outbox').countDocuments({ published_at: null });
      expect([unpublished > 0, watchesAfter(await outboxOf(ctx), userId)]).toEqual([true, 1]);
      await end(ending);
      expect(await left()).toEqual([leftAfter(ending, true), 0]);
    },
  );
});

/** A function that does something else first, the first time. */
function onFirst<A extends unknown[], R>(
  original: (...args: A) => Promise<R>,
  work: () => Promise<void>,
): (...args: A) => Promise<R> {
  let isFirst = true;
  return async (...args) => {
    if (isFirst) {
      isFirst = false;
      await work();
    }
    return await original(...args);
  };
}

function creationOf(userId: number) {
  const body: Call<'create_case'>['body'] = {
    receipt_number: receipt(userId),
    description: '',
    uscis_access_acknowledged: true,
    first_check: 'now',
  };
  const params = { user_id: userId };
  const caller: PartnerPrincipal = { kind: 'partner', partner_id: 1, key_id: 'key-1', scopes: [] };
  return { caller, address: '203.0.113.7', params, body, remember: async () => {} };
}
