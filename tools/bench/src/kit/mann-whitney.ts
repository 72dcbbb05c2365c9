/**
 * The two-sided p of the Mann-Whitney U test (1947), by the normal approximation with correction for ties and continuity,
 * which is good from about twenty values on.
 */
export function mannWhitneyP(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  all.sort((a, b) => a.value - b.value);
  let rankSumOfA = 0;
  let tieTerm = 0;
  for (let start = 0; start < all.length; ) {
    let end = start;
    while (end < all.length && all[end]?.value === all[start]?.value) end++;
    const ties = all.slice(start, end);
    // Equal values share the mean of their ranks, which count from 1.
    rankSumOfA += ties.filter(({ isA }) => isA).length * ((start + 1 + end) / 2);
    tieTerm += ties.length ** 3 - ties.length;
    start = end;
  }
  const [m, n] = [a.length, b.length];
  const total = m + n;
  const u = rankSumOfA - (m * (m + 1)) / 2;
  const mean = (m * n) / 2;
  const variance = ((m * n) / 12) * (total + 1 - tieTerm / (total * (total - 1)));
  if (variance === 0) return 1;
  const z = Math.max(0, Math.abs(u - mean) - 0.5) / Math.sqrt(variance);
  return 2 * normalTail(z);
}

/** 1 − Φ(z) for z ≥ 0, within 1.5e-7 (Abramowitz & Stegun 7.1.26). */
function normalTail(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 0.5 * series * Math.exp(-x * x);
}
