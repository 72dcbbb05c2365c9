import { setTimeout as delay } from 'node:timers/promises';

/** One request and its answer; times are of performance.now(), ms. */
export type Polled = { url: string; sentAt: number; doneAt: number; status: number };

export type Polling = { seen: readonly Polled[]; stop(): Promise<void> };

/** Asks each address again and again, one request at a time, until it is stopped. */
export function poll(urls: readonly string[], headers: Record<string, string>): Polling {
  const seen: Polled[] = [];
  let isOver = false;
  const run = async (url: string) => {
    while (!isOver) {
      const sentAt = performance.now();
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      seen.push({ url, sentAt, doneAt: performance.now(), status: response.status });
      await delay(200);
    }
  };
  const running = Promise.all(urls.map(run));
  return {
    seen,
    async stop() {
      isOver = true;
      await running;
    },
  };
}
