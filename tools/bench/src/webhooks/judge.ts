import type { Published } from './publisher.ts';
import type { Arrival } from './receiver-main.ts';

/** Times from publishing to arrival, ms. @throws Error if an event did not arrive, or came with different bytes */
export function judge(published: Published, arrivals: Arrival[]) {
  const firstAt = new Map<string, number>();
  const bodies = new Map<string, string>();
  for (const { id, at, sha256 } of arrivals) {
    if (!firstAt.has(id)) firstAt.set(id, at);
    if ((bodies.get(id) ?? sha256) !== sha256) throw new Error(`${id} came with different bytes`);
    bodies.set(id, sha256);
  }
  const missing = [...published.keys()].filter((id) => !firstAt.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} events did not arrive`);
  const lateness = [...published].map(([id, at]) => (firstAt.get(id) ?? 0) - at);
  const start = Math.min(...published.values());
  const end = Math.max(...firstAt.values());
  return {
    lateness,
    twice: arrivals.length - firstAt.size,
    perSecond: (published.size / (end - start)) * 1_000,
  };
}
