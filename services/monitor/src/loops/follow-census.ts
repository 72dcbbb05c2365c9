import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

const everyMs = 5_000;

/** Every replica reads the sender's census, and stretches its intervals by it. */
export function followCensus({ outlook, log }: Context): Running {
  return every(everyMs, outlook.refresh, (error) => log.warn({ err: error }, 'no census read; as before'));
}
