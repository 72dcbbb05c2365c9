/** A time as one reads it: `12.3 ms`, `4.5 s`, `2 min 14 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
