import type { CaseReference, RequestData } from '@casewatch/contracts';
import { publishToStream, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { created, senderAnswers, someCase } from '../support/case-events.ts';
import { served } from '../support/government.ts';
import { startWorld, type World } from '../support/world.ts';

const erased_at = '2026-10-01T10:00:00.000Z';

describe('the recorded erasure of a person', () => {
  let world: World;
  let last = 5_000_000_000;
  const newReceipt = () => `EAC${++last}`;
  beforeAll(async () => {
    world = await startWorld();
    await world.startMonitor();
    await senderAnswers(world);
  });
  afterAll(() => world.stop());

  const erase = (user_id: number) =>
    publishToStream(world.identity, 'erasure.recorded', { user_id, partner_id: 1, erased_at });
  const watchOf = ({ id }: CaseReference) => world.stores.watches.find(id);
  const namesPerson = async (of: CaseReference) => (await watchOf(of))?.case?.user_id === of.user_id;

  async function watched(user_id: number, receipt = newReceipt()): Promise<CaseReference> {
    const reference = { ...someCase(receipt), user_id };
    await world.government.set(receipt, served('Case Was Received'));
    await world.publish('case.created', created(reference, null, 'deferred'));
    await waitFor(() => namesPerson(reference), { what: 'the watch' });
    return reference;
  }

  it('ends the watches of the cases whose own events are gone, and no others', async () => {
    const shared = newReceipt();
    const [own, sharing, other] = [
      await watched(701),
      await watched(701, shared),
      await watched(702, shared),
    ];
    await erase(701);
    for (const reference of [own, sharing]) {
      await waitFor(async () => !(await namesPerson(reference)), { what: 'the end of the watch' });
      expect(await watchOf(reference)).toMatchObject({ active: false, receipt_number: '', case: null });
    }
    expect(await world.stores.receipts.find(own.receipt_number)).toBeNull();
    expect(await world.stores.receipts.find(shared)).toMatchObject({ watchers: 1 });
    expect(await watchOf(other)).toMatchObject({ active: true });
    const row = await world.monitorDb.collection<{ _id: number }>('erased_users').findOne({ _id: 701 });
    expect(row).toEqual({ _id: 701, erased_at: new Date(erased_at) });
  });

  it.each(['case.created', 'case.updated'] as const)(
    'is not undone by a %s that comes later',
    async (type) => {
      const before =
        type === 'case.updated' ? await watched(703) : { ...someCase(newReceipt()), user_id: 704 };
      const { user_id } = before;
      await erase(user_id);
      const isRecorded = async () => (await world.stores.erasedUsers.among([user_id])).has(user_id);
      await waitFor(isRecorded, { what: 'the erasure' });
      const state = {
        case: before,
        watched: true,
        active: true,
        version: 5,
        assignee_id: null,
        respond_by: null,
      };
      if (type === 'case.created') await world.publish(type, created(before, null, 'deferred'));
      else await world.publish(type, state);
      await waitFor(async () => (await watchOf(before))?.case === null, { what: 'the tombstone' });
      expect(await watchOf(before)).toMatchObject({ active: false, receipt_number: '', case: null });
      expect(await watchOf(await watched(705))).toMatchObject({ active: true });
    },
  );

  it('leaves no record of a live check that comes later', async () => {
    await erase(706);
    await waitFor(async () => (await world.stores.erasedUsers.among([706])).has(706), {
      what: 'the erasure',
    });
    const checkOf = (user_id: number): RequestData<'monitor.check'> => ({
      receipt_number: newReceipt(),
      caller: { partner_id: 1, user_id },
      max_age_s: 0,
    });
    for (const user of [706, 707]) await world.cases.bus.request('monitor.check', checkOf(user));
    const callers = async () => (await world.callerChecks()).map(({ caller }) => caller);
    await waitFor(async () => (await callers()).includes('partner/1/user/707'), { what: 'the other record' });
    await waitFor(async () => !(await callers()).includes('partner/1/user/706'), { what: 'no record' });
  });
});
