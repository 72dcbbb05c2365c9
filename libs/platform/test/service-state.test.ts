import { type Base, PoisonError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deleteUser } from './support/delete-user.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

let bases: TestBases;
let identity: Base<'identity'>;
let notifier: Base<'notifier'>;
beforeAll(async () => {
  bases = await startBases();
  [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
});
afterAll(() => bases.stop());

it('of a service shows its outbox, consumers, outcomes and dead letters', async () => {
  await deleteUser(identity, 1);
  await deleteUser(identity, 2);
  const before = await identity.serviceState();
  expect(before).toMatchObject({ outbox: { waiting: 2, refused: 0 }, dead_letters: 0 });
  expect(before.consumers?.map(({ name }) => name)).toEqual([
    'identity-erased',
    'identity-identity',
    'identity-cases',
    'identity-status',
    'identity-notifications',
    'identity-webhooks',
  ]);
  identity.startPublishing();
  const queueOf = async () =>
    (await notifier.serviceState()).consumers?.find(({ name }) => name === 'notifier-identity');
  await waitFor(async () => (await queueOf())?.pending === 2, { what: 'two events to handle' });
  await waitFor(async () => (await identity.serviceState()).outbox?.waiting === 0, {
    what: 'an empty outbox',
  });
  notifier.consume({
    ...noHandlers('notifier'),
    'user.deleted': async ({ user_id }) => {
      if (user_id === 2) throw new PoisonError('broken');
    },
  });
  const after = await waitFor(
    async () => {
      const state = await notifier.serviceState();
      const [queue] = state.consumers ?? [];
      return queue?.pending === 0 && queue.outcomes.length === 2 && state;
    },
    { what: 'the end of both events' },
  );
  expect(after.dead_letters).toBe(1);
  expect(after.consumers?.[0]).toEqual({
    name: 'notifier-identity',
    pending: 0,
    stalled_seconds: 0,
    outcomes: expect.arrayContaining([
      { outcome: 'done', count: 1 },
      { outcome: 'dead', count: 1 },
    ]),
  });
});

it('of a service without NATS has the outbox and the dead letters, and nothing in place of the consumers', async () => {
  await notifier.bus.connection.close();
  expect(await notifier.serviceState()).toMatchObject({
    outbox: { waiting: 0 },
    consumers: null,
    dead_letters: 1,
  });
});
