type Step = readonly [size: number, suffix: string];
type Scale = readonly [Step, ...Step[]];

const kibi = 1024;
const thousands: Scale = [
  [1, ''],
  [1e3, ' K'],
  [1e6, ' Mil'],
];

/** The units of Grafana that our boards use, with their names there; each step from small to large. */
const units = {
  short: thousands,
  percentunit: [[0.01, ' %']],
  reqps: [[1, ' req/s']],
  cpm: [[1, ' c/m']],
  bytes: [
    [1, ' B'],
    [kibi, ' KiB'],
    [kibi ** 2, ' MiB'],
    [kibi ** 3, ' GiB'],
  ],
  s: [
    [1e-6, ' µs'],
    [1e-3, ' ms'],
    [1, ' s'],
    [60, ' min'],
    [3_600, ' h'],
    [86_400, ' day'],
  ],
} satisfies Record<string, Scale>;

export function isUnit(name: string): name is keyof typeof units {
  return Object.hasOwn(units, name);
}

/** A value with its unit, much as Grafana writes it: `1.5 ms`. @throws RangeError for an unknown unit */
export function withUnit(value: number, unit: string): string {
  if (value === 0) return '0';
  const [size, suffix] = stepOf(value, unit);
  return `${Number((value / size).toPrecision(3))}${suffix}`;
}

/** The size and the name of the step of the unit in which a value is written. @throws RangeError for an unknown unit */
export function stepOf(value: number, unit: string): Step {
  if (!isUnit(unit)) throw new RangeError(`unknown unit: ${unit}`);
  const scale: Scale = units[unit];
  return scale.findLast(([size]) => Math.abs(value) >= size) ?? scale[0];
}
