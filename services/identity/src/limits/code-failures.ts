import { type Clock, createInstrument, type Meter } from '@casewatch/platform';
import { identityMetrics } from '../metric-table.ts';
import type { Stores } from '../store/stores.ts';

type Options = {
  clock: Clock;
  log: { warn(record: object, message: string): void };
  meter?: Meter;
  rateLimits: Stores['rateLimits'];
  alertAt: number;
};

const windowMs = 10 * 60 * 1000;

/** Counts wrong login codes over all accounts and replicas. An attack on many accounts from many networks meets no other limit. */
export function createCodeFailures({ clock, log, meter, rateLimits, alertAt }: Options) {
  const failures = meter && createInstrument(meter, identityMetrics, 'identity.login_code_failures');

  async function alert(): Promise<void> {
    const now = clock.now();
    const failureLimit = { max: alertAt, windowMs };
    if ((await rateLimits.take('login-code-failures', failureLimit, now)) === null) return;
    if ((await rateLimits.take('login-code-alert', { max: 1, windowMs }, now)) !== null) return;
    log.warn({ more_than: alertAt, window_seconds: windowMs / 1000 }, 'many wrong login codes');
  }

  return {
    async record(): Promise<void> {
      failures?.add(1);
      await alert().catch((error: unknown) => {
        log.warn({ err: error }, 'wrong login code not counted');
      });
    },
  };
}
