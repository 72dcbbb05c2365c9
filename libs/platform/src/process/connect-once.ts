import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../settings/config.ts';
import { reasonOf, silentMs } from '../telemetry/first-connection.ts';

/** One attempt of a program that ends, for its operator. @throws Error that names the dependency and the reason, ConfigError */
export async function connectOnce<T>(dependency: string, connecting: Promise<T>): Promise<T> {
  const late = new AbortController();
  const tooLate = delay(silentMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no answer within ${silentMs / 1_000} s`);
  });
  try {
    return await Promise.race([connecting, tooLate]);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new Error(`${dependency} not available: ${reasonOf(error)}`, { cause: error });
  } finally {
    late.abort();
    tooLate.catch(() => undefined);
  }
}
