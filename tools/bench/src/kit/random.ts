import { seededRandom } from '@casewatch/testing';

const range = 2 ** 32;

export function randomFrom(seed: number): () => number {
  const next = seededRandom(seed);
  return () => next(range) / range;
}
