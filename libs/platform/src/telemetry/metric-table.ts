import type { Counter, Histogram, Meter, ObservableCounter, ObservableGauge } from '@opentelemetry/api';

/** A metric as docs/metrics.md shows it. Labels are closed sets, never ids. */
export type Metric = {
  readonly kind: keyof Instruments;
  readonly description: string;
  readonly unit?: 's' | 'By';
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
};

/** By the name in OpenTelemetry. In Prometheus text, dots become underscores, and a counter ends in `_total`. */
export type MetricTable = Readonly<Record<string, Metric>>;

type Instruments = {
  counter: Counter;
  histogram: Histogram;
  gauge: ObservableGauge;
  /** A counter that is read during a scrape. */
  total: ObservableCounter;
};

type Details = Omit<Metric, 'kind' | 'description'>;

function metricOf<K extends keyof Instruments>(kind: K) {
  return (description: string, details: Details = {}) => ({ kind, description, ...details });
}

export const counter = metricOf('counter');
export const histogram = metricOf('histogram');
export const gauge = metricOf('gauge');
export const total = metricOf('total');

export function createInstrument<T extends MetricTable, N extends keyof T & string>(
  meter: Meter,
  table: T,
  name: N,
): Instruments[T[N]['kind']] {
  const { kind, description, unit = '', buckets, labels } = table[name] as Metric;
  const options = {
    description,
    unit,
    ...(buckets && { advice: { explicitBucketBoundaries: [...buckets] } }),
  };
  const create: { [K in keyof Instruments]: () => Instruments[K] } = {
    counter: () => {
      const counter = meter.createCounter(name, options);
      // increase() of Prometheus does not see a series that begins at 1: an alert would miss the first event.
      if (labels === undefined) counter.add(0);
      return counter;
    },
    histogram: () => meter.createHistogram(name, options),
    gauge: () => meter.createObservableGauge(name, options),
    total: () => meter.createObservableCounter(name, options),
  };
  return create[kind]() as Instruments[T[N]['kind']];
}

/** The instruments of a whole table, by name. */
export function createInstruments<T extends MetricTable>(meter: Meter, table: T) {
  const entries = Object.keys(table).map((name) => [name, createInstrument(meter, table, name)]);
  return Object.fromEntries(entries) as { [N in keyof T]: Instruments[T[N]['kind']] };
}

export function prometheusName(name: string, { kind }: Metric): string {
  const text = name.replaceAll('.', '_');
  return kind === 'counter' || kind === 'total' ? `${text}_total` : text;
}

/** A value that is not measured yet is undefined: it is not shown. */
export type GaugeRow = readonly [value: number | undefined, labels?: Record<string, string>];

/** Shows gauges. They are read during a scrape, so without a database query. */
export function showGauges<N extends string>(
  instruments: Readonly<Record<NoInfer<N>, ObservableGauge>>,
  reads: Readonly<Record<N, () => Iterable<GaugeRow>>>,
): void {
  for (const name of Object.keys(reads) as N[])
    instruments[name].addCallback((result) => {
      for (const [value, labels] of reads[name]()) if (value !== undefined) result.observe(value, labels);
    });
}
