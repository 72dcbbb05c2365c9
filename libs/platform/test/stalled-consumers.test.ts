import { consumersOf } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { deleteUser } from './support/delete-user.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

let bases: TestBases;
beforeAll(async () => {
  bases = await startBases();
});
afterAll(() => bases.stop());

it('a consumer that is paused shows how long no replica has finished an event, and an idle or a working one 0', async () => {
  const [identity, one, other] = await Promise.all([
    bases.base('identity'),
    bases.base('notifier'),
    bases.base('notifier'),
  ]);
  identity.startPublishing();
  const row = consumersOf('notifier').find(({ durable }) => durable === 'notifier-identity');
  if (row === undefined) throw new Error('the notifier has no such consumer');
  const handled: number[] = [];
  one.consume({
    ...noHandlers('notifier'),
    'user.deleted': async ({ user_id }) => void handled.push(user_id),
  });
  /** By the replica that handles nothing: what counts is that some replica works. */
  const seen = async () => {
    const state = await other.serviceState();
    return state.consumers?.find(({ name }) => name === row.durable);
  };
  await deleteUser(identity, 1);
  await waitFor(() => handled.includes(1), { what: 'the first event' });
  await waitFor(async () => (await seen())?.pending === 0, { what: 'an idle consumer' });
  expect(await seen()).toMatchObject({ pending: 0, stalled_seconds: 0 });

  const operator = await connect({ servers: bases.nats.url, ...bases.nats.operator });
  const manager = await jetstreamManager(operator);
  const until = new Date(Date.now() + 3_600_000);
  await manager.consumers.pause(row.stream, row.durable, until);
  await deleteUser(identity, 2);
  await waitFor(async () => ((await seen())?.stalled_seconds ?? 0) > 1, { what: 'a stalled consumer' });
  expect(handled).toEqual([1]);
  const age = async () => {
    const text = await (await fetch(`http://127.0.0.1:${one.metricsPort}/metrics`)).text();
    return Number(/^events_stalled\{consumer="notifier-identity"\} (\S+)$/m.exec(text)?.[1]);
  };
  // It is measured every 10 s.
  await waitFor(async () => (await age()) > 1, { what: 'the metric', timeoutMs: 45_000 });

  await manager.consumers.resume(row.stream, row.durable);
  await waitFor(() => handled.includes(2), { what: 'the second event', timeoutMs: 60_000 });
  await waitFor(async () => (await seen())?.stalled_seconds === 0, { what: 'a consumer that works' });
  await operator.close();
});
