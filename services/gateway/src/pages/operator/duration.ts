const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** `2.5 h`; a dash where nothing is known. */
export function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  const [size, unit] = units.find(([size]) => seconds >= size) ?? units[3];
  return `${Math.round((seconds * 10) / size) / 10} ${unit}`;
}
