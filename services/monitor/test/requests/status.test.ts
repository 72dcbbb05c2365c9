import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

it('monitor.status says that somebody sends, also in a replica whose clock is 90 s ahead of the sender’s', async () => {
  const status = () => world.cases.bus.request('monitor.status', {});
  await world.startMonitor();
  await waitFor(async () => (await status().catch(() => null))?.sending, { what: 'a sender' });
  await world.startMonitor({}, { now: () => new Date(Date.now() + 90_000) });
  // Either replica answers; so many questions reach both.
  const replies: Awaited<ReturnType<typeof status>>[] = [];
  for (let i = 0; i < 8; i++) replies.push(...(await Promise.all(Array.from({ length: 5 }, status))));
  expect(replies.filter(({ sending, upstream }) => !sending || upstream !== 'open')).toEqual([]);
});
