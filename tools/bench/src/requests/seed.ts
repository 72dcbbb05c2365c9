import { withDatabase } from '@casewatch/platform/database';
import type mongoose from 'mongoose';
import { firstChannelState, toObserved } from '../../../../services/cases/src/rules/status-update.ts';
import { createStores } from '../../../../services/cases/src/store/stores.ts';
import { openAdmin } from '../../../../services/identity/src/admin/admin-context.ts';
import { addPartner } from '../../../../services/identity/src/admin/partners.ts';
import { caseRow, statusUpdated, userRow } from '../webhooks-fan-out/rows.ts';
import { partnerOf, partners, usersPerPartner } from './operations.ts';

const updatesPerCase = 3;

type Counter = { _id: string; next: number };
type Seeding = { urlOf: (service: string) => string; pepper: string };

/** Partners with 60 users, one case each, three updates a case. Returns the headers with the keys of each partner. */
export async function seed({ urlOf, pepper }: Seeding): Promise<Record<string, string>[]> {
  const ids = Array.from({ length: partners * usersPerPartner }, (_, i) => i + 1);
  const env = { NODE_ENV: 'test', MONGODB_URL: urlOf('identity'), SECRET_PEPPER: pepper };
  const { ctx, close } = await openAdmin(env);
  const keys: Record<string, string>[] = [];
  for (let i = 1; i <= partners; i++) {
    const partner = { name: `Partner ${i}`, email: 'office@example.com', keyName: 'bench' };
    const { pair } = await addPartner(ctx, partner);
    keys.push({ 'x-api-key': pair.api_key, 'x-api-secret': pair.api_secret });
  }
  const users = ids.map((id) => userRow(id, partnerOf(id)));
  await insert(ctx.db, 'users', users);
  await close();
  await withDatabase({ MONGODB_URL: urlOf('cases') }, async (db) => {
    const { statusUpdates } = createStores(db);
    await insert(db, 'cases', ids.map(caseWithUpdates));
    // Ids of created cases follow those of the seed.
    await db.collection<Counter>('counters').insertOne({ _id: 'cases', next: ids.length });
    await insert(
      db,
      'user_states',
      ids.map((_id) => ({ _id, version: 1, status: 'active', deleted: false, active_cases: 1, followed: 0 })),
    );
    const updates = ids.flatMap((caseId) => updateIds(caseId).map((id) => completeUpdate(id, caseId)));
    await db.withSession(async (session) => {
      for (const update of updates) await statusUpdates.insert(session, update);
    });
  });
  return keys;
}

async function insert(db: mongoose.Connection, name: string, rows: object[]): Promise<void> {
  await db.collection(name).insertMany(rows);
}

function updateIds(caseId: number): number[] {
  return Array.from({ length: updatesPerCase }, (_, i) => (caseId - 1) * updatesPerCase + i + 1);
}

function completeUpdate(id: number, caseId: number) {
  const { status_update, title_modified_date } = statusUpdated(id, caseRow(caseId, partnerOf(caseId)));
  const observed = toObserved(status_update, { ...status_update, title_modified_date });
  return { id, caseId, observed, channel: firstChannelState('baseline') };
}

function caseWithUpdates(id: number) {
  const newest = completeUpdate(id * updatesPerCase, id);
  return {
    ...caseRow(id, partnerOf(id)),
    update_count: updatesPerCase,
    latest_update: { id: newest.id, ...newest.observed },
  };
}
