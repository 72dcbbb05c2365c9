import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { windowMs } from '../domain/sliding-window.ts';

export function sweepLimits({ limits, log }: Context): Running {
  return every(
    windowMs,
    async () => limits.sweep(),
    (error) => log.error({ err: error }, 'old rate-limit counts not removed'),
  );
}
