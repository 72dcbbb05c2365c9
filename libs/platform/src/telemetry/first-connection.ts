import { withoutSecrets } from './secrets.ts';

/** How long a start says nothing while a dependency neither accepts nor refuses the connection, ms. */
export const silentMs = 5_000;
/** Shortest time between two lines about the same dependency, ms. */
const betweenMs = 5_000;

type WarningLog = { warn(fields: object, message: string): void };

export type FirstConnection = {
  /** An attempt failed. */
  failed(error: unknown): void;
  /** The dependency is there, or the start ends. */
  end(): void;
};

/**
 * Says in the log why a start waits for a dependency: with the first failure, or after 5 s without an answer, and then again
 * at most every 5 s. `dependency` is its label in the metric `dependency_up`.
 */
export function watchFirstConnection(dependency: string, log: WarningLog): FirstConnection {
  let saidAt = Number.NEGATIVE_INFINITY;
  let reason = `no answer within ${silentMs / 1_000} s`;
  let timer = setTimeout(say, silentMs).unref();
  function say(): void {
    clearTimeout(timer);
    saidAt = performance.now();
    log.warn({ dependency, reason }, 'dependency not available; trying again');
    timer = setTimeout(say, betweenMs).unref();
  }
  return {
    failed(error) {
      reason = reasonOf(error);
      if (performance.now() - saidAt >= betweenMs) say();
    },
    end: () => clearTimeout(timer),
  };
}

/** What an error and its causes say, in one line. An error of several addresses says nothing itself. */
export function reasonOf(error: unknown): string {
  const said: string[] = [];
  for (let next: unknown = error; next instanceof Error; next = next.cause) {
    const { code } = next as { code?: unknown };
    const several = next instanceof AggregateError ? next.errors.map(reasonOf).join('; ') : '';
    const text = next.message || several || String(code ?? next.name);
    if (!said.some((before) => before.includes(text))) said.push(text);
  }
  return withoutSecrets(said.join(': ').replaceAll(/\s+/g, ' ') || 'unknown');
}
