import { waitFor } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { openDeadLetterBox } from '../src/events/dead-letters.ts';
import { deleteUser } from './support/delete-user.ts';
import { startBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

/** Longer than a pull takes to miss its heartbeats, and than JetStream waits for an acknowledgement, ms. */
const afterAPull = { timeoutMs: 60_000 };

it('an event without body and headers becomes a dead letter, and those behind it are handled; a replay too', async () => {
  await using bases = await startBases();
  const [identity, notifier] = [await bases.base('identity'), await bases.base('notifier')];
  const handled: number[] = [];
  notifier.startPublishing();
  notifier.consume({
    ...noHandlers('notifier'),
    'user.deleted': async ({ user_id }) => void handled.push(user_id),
  });
  identity.startPublishing();
  identity.consume(noHandlers('identity'));
  const operator = await connect({ servers: bases.nats.url, ...bases.nats.operator });
  try {
    const box = openDeadLetterBox(notifier.db, 'notifier');
    await deleteUser(identity, 1);
    await waitFor(() => handled.includes(1), { what: 'the event before it' });
    await jetstream(operator).publish('user.deleted');
    await deleteUser(identity, 2);
    await waitFor(() => handled.includes(2), { what: 'the event behind it', ...afterAPull });
    const letter = await waitFor(async () => (await box.list())[0], { what: 'the dead letter' });
    const empty = { type: 'user.deleted', kind: 'poison', bytes: 0, tries: 1 };
    expect(letter).toMatchObject({ ...empty, id: expect.stringMatching(/^IDENTITY\/\d+\/\d+$/) });

    expect(await box.replay(letter.seq)).toBe(1);
    const again = await waitFor(async () => (await box.list()).find(({ seq }) => seq > letter.seq), {
      what: 'the dead letter of the replay',
      ...afterAPull,
    });
    expect(again).toMatchObject({ ...empty, id: letter.id });
    expect(handled).toEqual([1, 2]);
  } finally {
    await operator.close();
  }
});
