import { expect, it } from '@jest/globals';
import { overlapForm } from '../../src/pages/console/console-page.ts';

it.each([
  ['24', 86_400],
  ['0', 0],
  ['0.5', 1_800],
  // Not 0: the old secret would end at once.
  ['', null],
  [' ', null],
  ['-1', null],
  ['169', null],
  ['x', null],
])('an overlap of %j hours are %j seconds; null: refused', (overlap_hours, seconds) => {
  const { data } = overlapForm(168).safeParse({ overlap_hours });
  expect(data?.body.overlap_seconds ?? null).toBe(seconds);
});
