import { randomUUID } from 'node:crypto';
import { ApiError } from '@casewatch/platform';
import type { Connection } from '@casewatch/platform/database';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';
import { caseReply, reference } from '../support/fixtures.ts';

type Event = { _id: string; body: string };
type Tombstone = { _id: number; erased_at: Date };

let world: World;
let db: Connection;
beforeAll(async () => {
  world = await startWorld();
  db = await connectDatabase(world.service.dbUrl);
});
afterAll(async () => {
  await db.close();
  await world.stop();
});

const events = () => db.collection<Event>('events');

/** The rows that a process leaves when it dies between the two writes of the intake. */
async function storeEvent(partnerId: number, userId: number, row: object): Promise<string> {
  const busId = randomUUID();
  const type = 'user.deleted';
  const data = { user: { id: userId, version: 2 } };
  const body = JSON.stringify({ id: `evt_${busId}`, type, timestamp: '2026-11-21T10:00:00.000Z', data });
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const owner = { partner_id: partnerId, user_id: userId };
  await events().insertOne({
    _id: `evt_${busId}`,
    ...owner,
    type,
    body,
    traceparent,
    intake_at: new Date(),
    ...row,
  } as Event);
  return busId;
}

/** Waits for a later event of the partner, so that the earlier ones are handled. */
async function handled(partnerId: number, hook: string): Promise<string[]> {
  const last = await world.siblings.identity.publish('user.deleted', {
    user_id: 900 + partnerId,
    partner_id: partnerId,
    version: 9,
  });
  return await waitFor(async () => {
    const ids = (await world.receiver.calls(hook)).map(({ headers }) => String(headers['webhook-id']));
    return ids.includes(`evt_${last}`) && ids.filter((id) => id !== `evt_${last}`);
  });
}

describe('an event whose intake was interrupted', () => {
  it('goes with its stored body to the endpoints that were subscribed then, and to no other', async () => {
    const before = await world.subscribe(1, 'before', { events: ['user.*'] });
    await world.subscribe(1, 'after', { events: ['user.*'] });
    const busId = await storeEvent(1, 11, { endpoints: [before] });
    await world.siblings.identity.publish('user.deleted', { user_id: 11, partner_id: 1, version: 2 }, busId);
    const [call] = await world.arrived('before', 1);
    const stored = await events().findOne({ _id: `evt_${busId}` });
    expect(call?.body).toBe(stored?.body);
    expect(call?.signature_ok).toBe(true);
    expect(await handled(1, 'after')).toEqual([]);
  });

  it('is repaired though its case was deleted in the meantime', async () => {
    const id = await world.subscribe(3, 'vanished', { events: ['case.*'] });
    const { knownCases } = world.siblings;
    const get = knownCases.get.bind(knownCases);
    let asked = 0;
    // The first delivery of the message fails; then the case is gone.
    knownCases.get = (caseId) => {
      if (caseId === 3 && asked++ === 0) throw new ApiError('service_unavailable');
      return get(caseId);
    };
    const deleted = caseReply({ id: 3, userId: 3, partnerId: 3, version: 1 });
    const state = {
      case: reference(deleted),
      watched: true,
      active: true,
      version: 2,
      assignee_id: null,
      respond_by: null,
    };
    const busId = await storeEvent(3, 3, { endpoints: [id] });
    await world.siblings.cases.publish('case.updated', state, busId);
    const [call] = await world.arrived('vanished', 1);
    expect(call?.headers['webhook-id']).toBe(`evt_${busId}`);
    expect(asked).toBe(1);
  });

  it('is erased if its user was erased in the meantime', async () => {
    const id = await world.subscribe(4, 'erased', { events: ['case.*', 'user.*'] });
    const missed = caseReply({ id: 4, userId: 41, partnerId: 4, version: 2 });
    world.siblings.knownCases.set(4, missed);
    const busId = await storeEvent(4, 41, { endpoints: [id], type: 'case.updated' });
    await db.collection<Tombstone>('erased_users').insertOne({ _id: 41, erased_at: new Date() });
    const state = {
      case: reference(missed),
      watched: true,
      active: true,
      version: 2,
      assignee_id: null,
      respond_by: null,
    };
    await world.siblings.cases.publish('case.updated', state, busId);
    await waitFor(async () => (await events().findOne({ _id: `evt_${busId}` })) === null);
    expect(await handled(4, 'erased')).toEqual([]);
  });
});

describe('the recorded erasure of a person', () => {
  it('erases the events that a restored backup brought back, but those that tell of deletions', async () => {
    const [updated, deleted, others] = [
      await storeEvent(5, 51, { endpoints: [], type: 'user.updated' }),
      await storeEvent(5, 51, { endpoints: [] }),
      await storeEvent(5, 52, { endpoints: [], type: 'user.updated' }),
    ];
    const erased_at = '2026-10-01T10:00:00.000Z';
    const erasure = { user_id: 51, partner_id: 5, erased_at };
    await world.siblings.identity.publish('erasure.recorded', erasure);
    await waitFor(async () => (await events().findOne({ _id: `evt_${updated}` })) === null);
    for (const id of [deleted, others]) expect(await events().findOne({ _id: `evt_${id}` })).not.toBeNull();
    const tombstones = db.collection<Tombstone>('erased_users');
    expect(await tombstones.findOne({ _id: 51 })).toEqual({ _id: 51, erased_at: new Date(erased_at) });
    // The first time stays.
    await world.siblings.identity.publish('user.deleted', { user_id: 51, partner_id: 5, version: 2 });
    await world.siblings.identity.publish('erasure.recorded', { ...erasure, user_id: 53 });
    await waitFor(async () => (await tombstones.findOne({ _id: 53 })) !== null);
    expect((await tombstones.findOne({ _id: 51 }))?.erased_at).toEqual(new Date(erased_at));
  });
});
