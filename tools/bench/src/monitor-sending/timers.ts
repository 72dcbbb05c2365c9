/** How late this machine's timers are: what no sender on it can do better than. */
export type Lateness = { p50Ms: number; p99Ms: number; maxMs: number; over20: number };

const everyMs = 20;
/** A slot is forfeited when it is more late than this (monitor.md, Budget), ms. */
const forfeitMs = 20;

/** Watches the timers of this process, which does nothing else; returns how to end and read it. */
export function watchTimers(): () => Lateness {
  const latenesses: number[] = [];
  let dueMs = performance.now() + everyMs;
  const tick = () => {
    const nowMs = performance.now();
    latenesses.push(Math.max(0, nowMs - dueMs));
    dueMs = nowMs + everyMs;
    timer = setTimeout(tick, everyMs);
  };
  let timer = setTimeout(tick, everyMs);
  return () => {
    clearTimeout(timer);
    const sorted = latenesses.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const over = sorted.filter((ms) => ms > forfeitMs).length;
    return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), over20: over / Math.max(1, sorted.length) };
  };
}
