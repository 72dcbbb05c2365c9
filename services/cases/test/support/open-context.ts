import { createBase } from '@casewatch/platform';
import { startMongo, startNats, type TestMongo, type TestNats } from '@casewatch/testing';
import { deferredCheck, firstCheckOf, storeNewCase } from '../../src/cases/create-case.ts';
import { type Context, createContext } from '../../src/context.ts';
import { caseReferenceOf } from '../../src/rules/case.ts';
import { database } from '../../src/store/stores.ts';
import { type CaseInEvent, receipt, seen, user } from './fixtures.ts';
import { settings } from './settings.ts';

/** The service's stores and handlers on a real database and bus, without its loops: handlers are called by hand. */
export async function openContext(): Promise<{ ctx: Context; stop(): Promise<void> }> {
  const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  const { ctx, stop } = await contextOn(mongo, nats);
  return {
    ctx,
    async stop() {
      await stop();
      await nats.stop();
      await mongo.stop();
    },
  };
}

/** The same on servers that others are on too. */
export async function contextOn(
  mongo: TestMongo,
  nats: TestNats,
): Promise<{ ctx: Context; stop(): Promise<void> }> {
  const { config } = settings(mongo, nats);
  const base = await createBase('cases', config, database);
  return { ctx: createContext({ base, config, overrides: {} }), stop: () => base.stop() };
}

let lastReceipt = 0;

/** A stored case of a user, with its baseline unless `deferred`. */
export async function givenCase(ctx: Context, userId: number, deferred = false): Promise<CaseInEvent> {
  const reply = seen();
  if (reply.outcome === 'rejected') throw new Error('a case is made of something seen');
  lastReceipt += 1;
  const made = {
    user: user(userId),
    partner: null,
    receiptNumber: receipt(lastReceipt),
    description: '',
    first: deferred ? deferredCheck : firstCheckOf(reply),
    acknowledgedBy: { partner_id: 1, key_id: 'key-1', staff_id: null, address: '203.0.113.7' },
  };
  return await storeNewCase(ctx, made, async (_session, { row }) => caseReferenceOf(row));
}

/** The events that wait in the outbox, oldest first. */
export async function outboxOf(ctx: Context): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await ctx.db.collection('outbox').find({}).sort({ _id: 1 }).toArray();
  return rows.map((row) => ({ type: String(row.type), data: JSON.parse(String(row.body)).data }));
}

/** A delivery as the bus describes it. */
export const delivery = { id: '019a0000-0000-7000-8000-000000000000', time: new Date() };
