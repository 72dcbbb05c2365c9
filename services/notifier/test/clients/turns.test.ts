import { expect, it } from '@jest/globals';
import { createTurns } from '../../src/clients/turns.ts';

it('a mail whose connection breaks while it waits takes no turn from those behind it', async () => {
  let late = 0;
  const turns = createTurns({ count: 1, onLate: () => (late += 1) });
  const { signal } = new AbortController();
  const [first, broken, next] = Array.from({ length: 3 }, () => turns.next({ isUrgent: false, signal }));
  if (!first || !broken || !next) throw new Error('there are three turns');
  await first.come();
  const waits = [broken.come(), next.come()];
  broken.end();
  first.end();
  await waits[1];
  next.ends();
  expect([broken.progress, next.progress]).toEqual(['waiting', 'ended']);
  next.end();
  expect(late).toBe(0);
});
