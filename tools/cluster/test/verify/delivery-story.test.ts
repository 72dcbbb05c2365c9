import { expect, it } from '@jest/globals';
import { timelinesOf } from '../../src/verify/delivery-story.ts';

const created_at = '2026-11-21T10:00:00.000Z';
const attempt = (at: string, ms: number, error: string | null = null) => ({
  at,
  status: error ? null : 200,
  ms,
  error,
});

it('tells of slow deliveries and unfinished ones, and of no other', () => {
  const quick = {
    id: 'quick',
    status: 'delivered',
    created_at,
    attempts: [attempt('2026-11-21T10:00:00.020Z', 10)],
  };
  const slow = {
    id: 'slow',
    status: 'delivered',
    created_at,
    attempts: [
      attempt('2026-11-21T10:00:00.050Z', 15_000, 'timeout'),
      attempt('2026-11-21T10:00:21.000Z', 9),
    ],
  };
  const waiting = { id: 'waiting', status: 'sending', created_at, attempts: [] };
  expect(timelinesOf([quick, slow, waiting], 5_000)).toEqual([
    `delivery created ${created_at}, delivered; +50 ms: timeout in 15000 ms; +21000 ms: 200 in 9 ms`,
    `delivery created ${created_at}, sending; no attempt`,
  ]);
});
