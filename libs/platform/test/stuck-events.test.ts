import { type Base, NotYetError, RetryLaterError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteUser } from './support/delete-user.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

/** More than a consumer handles at a time. Where 20 in a row are away, it takes that for an outage of all. */
const stuckCount = 40;
const awayCount = 3;
const kinds: [kind: string, firstId: number, count: number, error: () => Error][] = [
  [
    'whose object is not known yet',
    1_000,
    stuckCount,
    () => new NotYetError('the object is not known here yet'),
  ],
  ['that fail', 2_000, stuckCount, () => new TypeError('a fault of the program')],
  [
    'whose dependency is away',
    3_000,
    awayCount,
    () => new RetryLaterError('a dependency of this event alone is away'),
  ],
];

describe('events of the same stream', () => {
  let bases: TestBases;
  let identity: Base<'identity'>;
  const stuck = new Set<number>();
  const handled = new Set<number>();

  beforeAll(async () => {
    bases = await startBases();
    const [publisher, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    identity = publisher;
    identity.startPublishing();
    notifier.consume({
      ...noHandlers('notifier'),
      'user.deleted': async ({ user_id: id }) => {
        const kind = kinds.find(([, firstId, count]) => id >= firstId && id < firstId + count);
        if (!kind) return void handled.add(id);
        stuck.add(id);
        throw kind[3]();
      },
    });
  });
  afterAll(() => bases.stop());

  it.each(kinds)('pass those %s', async (_kind, firstId, count) => {
    const ids = Array.from({ length: count }, (_, i) => firstId + i);
    for (const id of ids) await deleteUser(identity, id);
    await waitFor(() => ids.every((id) => stuck.has(id)), { what: 'a first try of every stuck event' });
    const others = [firstId - 3, firstId - 2, firstId - 1];
    for (const id of others) await deleteUser(identity, id);
    // The stuck events are tried again for a day or longer.
    const passed = () => others.filter((id) => handled.has(id));
    await waitFor(() => passed().length === others.length, { what: 'the other events' });
    expect(passed()).toEqual(others);
  });
});
