import {
  type Metric,
  type MetricTable,
  platformMetrics,
  prometheusName,
  streamsMetrics,
} from '@casewatch/platform';
import { identityMetrics } from '../../../../services/identity/src/metric-table.ts';
import { monitorMetrics } from '../../../../services/monitor/src/metric-table.ts';
import { notifierMetrics } from '../../../../services/notifier/src/metric-table.ts';
import { webhooksMetrics } from '../../../../services/webhooks/src/metric-table.ts';

const tables: Readonly<Record<string, MetricTable>> = {
  'Every service': platformMetrics,
  streams: streamsMetrics,
  identity: identityMetrics,
  monitor: monitorMetrics,
  notifier: notifierMetrics,
  webhooks: webhooksMetrics,
};

const head = `# Metrics

Each service shows its metrics at \`/metrics\` on \`METRICS_PORT\`, as Prometheus text. Labels are closed sets: no label names a person, a partner, a case
or a receipt. A histogram has three series: \`_bucket\`, \`_sum\` and \`_count\`. This page is written by \`npm run metrics\` from the code.
`;

/** docs/metrics.md, as the tables of the code want it. */
export function metricsPage(): string {
  return [head, ...Object.entries(tables).map(([title, table]) => section(title, table))].join('\n');
}

/** The names in Prometheus text, without the endings of a histogram. */
export function metricNames(): string[] {
  return Object.values(tables).flatMap((table) =>
    Object.entries(table).map(([name, metric]) => prometheusName(name, metric)),
  );
}

function section(title: string, table: MetricTable): string {
  const rows = Object.entries(table).map(([name, metric]) => row(name, metric));
  return [
    `## ${title}\n`,
    '| metric | kind | unit | labels | meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const kinds: Record<Metric['kind'], string> = {
  counter: 'counter',
  total: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
};
const units = { s: 'seconds', By: 'bytes' };

function row(name: string, metric: Metric): string {
  const labels = metric.labels?.map((label) => `\`${label}\``).join(', ') ?? '';
  const unit = metric.unit ? units[metric.unit] : '';
  return `| \`${prometheusName(name, metric)}\` | ${kinds[metric.kind]} | ${unit} | ${labels} | ${metric.description} |`;
}
