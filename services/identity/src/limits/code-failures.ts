import type { Clock, Meter } from '@casewatch/platform';
import type { Stores } from '../store/stores.ts';

export type CodeFailures = {
  /** One wrong guess. Nothing waits for it but tests. */
  record(): Promise<void>;
};

type Options = {
  clock: Clock;
  log: { warn(record: object, message: string): void };
  meter?: Meter;
  rateLimits: Stores['rateLimits'];
  /** Wrong guesses within the window that are no reason to worry. */
  alertAt: number;
};

const windowMs = 10 * 60 * 1000;

/**
 * Counts wrong guesses of login codes over all accounts and replicas: many accounts guessed at from many networks stay below
 * each single limit. More than `alertAt` within ten minutes are one warning in ten minutes.
 */
export function createCodeFailures({ clock, log, meter, rateLimits, alertAt }: Options): CodeFailures {
  const failures = meter?.createCounter('identity.login_code_failures', {
    description: 'Wrong guesses of login codes',
  });

  async function alert(): Promise<void> {
    const now = clock.now();
    const guesses = { max: alertAt, windowMs };
    if ((await rateLimits.take('login-code-failures', guesses, now)) === null) return;
    if ((await rateLimits.take('login-code-alert', { max: 1, windowMs }, now)) !== null) return;
    log.warn({ more_than: alertAt, window_seconds: windowMs / 1000 }, 'many wrong guesses of login codes');
  }

  return {
    async record() {
      failures?.add(1);
      await alert().catch((error: unknown) => {
        log.warn({ err: error }, 'wrong guess of a login code not counted');
      });
    },
  };
}
