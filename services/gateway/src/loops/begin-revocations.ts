import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

const retryMs = 250;
const hourMs = 60 * 60 * 1_000;

/** Asks identity until the first answer, so that the gateway becomes ready. Later the requests make it ask. */
export function beginRevocations({ revocations, log }: Context): Running {
  return every(
    () => (revocations.hasBegun() ? hourMs : retryMs),
    async () => await revocations.ensureCurrent(),
    (error) => log.debug({ err: error }, 'revocations not loaded yet; trying again'),
  );
}
