/** One answer for all who ask within `keptMs` of the one that asked first, also while it is on its way. */
export function askedOnceIn<T>(keptMs: number, ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | null = null;
  let untilMs = 0;
  return () => {
    const nowMs = performance.now();
    if (!asking || nowMs >= untilMs) {
      untilMs = nowMs + keptMs;
      asking = ask();
    }
    return asking;
  };
}
