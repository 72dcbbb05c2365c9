import { setTimeout as delay } from 'node:timers/promises';

/** A scrape waits so long for new values, ms; then it shows the former ones. */
const patienceMs = 500;

/**
 * Reads the values of gauges when a scrape asks for them, at most every `ms`: without scrapes nothing is read. Callbacks of
 * gauges first await the returned function.
 */
export function readAtScrape(
  ms: number,
  read: () => Promise<void>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading = Promise.resolve();

  return async () => {
    if (performance.now() - readAt >= ms) {
      readAt = performance.now();
      reading = read().catch(onFailure);
    }
    await Promise.race([reading, delay(patienceMs, undefined, { ref: false })]);
  };
}
