import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../options.ts';

export const rulesFolder = join(ROOT, 'deploy/observability/prometheus');

type Rule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: 'page' | 'ticket' } & Record<string, string>;
  annotations: { summary: string; runbook: string };
};

/** Values by series, as promtool takes them: `{'up{service="cases"}': '0x10'}`. */
type Series = Readonly<Record<string, string>>;

/** A row of rules.cases.yml. `also`: further series that fire. */
export type Case = {
  at: string;
  fires: Series;
  alert: Readonly<Record<string, string>>;
  summary: string;
  silent: readonly Series[];
  also?: readonly Series[];
};

/** The labels that a scrape gives to the series of a service. */
type Scrape = (service: string, namespace: string) => Readonly<Record<string, string>>;

/** In Kubernetes both ways get `job` and `service` from the pod's labels (deploy/k8s/components/metrics). */
const scrapes: Readonly<Record<string, Scrape>> = {
  'Docker Compose': (service) => ({ job: 'casewatch', service, instance: `${service}:9464` }),
  PodMonitor: (service, namespace) => ({
    job: 'casewatch',
    service,
    namespace,
    pod: `${service}-1`,
    container: service,
    endpoint: 'metrics',
    instance: `10.0.0.7:9464`,
  }),
  annotations: (service, namespace) => ({
    job: 'casewatch',
    service,
    namespace,
    pod: `${service}-1`,
    node: 'node-1',
    app_kubernetes_io_name: service,
    app_kubernetes_io_part_of: 'casewatch',
    pod_template_hash: '5f7d8',
    instance: `10.0.0.7:9464`,
  }),
};

export function readRules(): Rule[] {
  const { groups } = parse(readFileSync(join(rulesFolder, 'rules.yml'), 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export function readCases(): Record<string, Case> {
  return parse(readFileSync(join(rulesFolder, 'rules.cases.yml'), 'utf8'), { merge: true }) as Record<
    string,
    Case
  >;
}

/** The file for `promtool test rules`: each case with the labels of each scrape. `rulesFile`: its absolute path. */
export function ruleTests(rules: readonly Rule[], cases: Readonly<Record<string, Case>>, rulesFile: string) {
  const tests = rules.flatMap((rule) => {
    const row = cases[rule.alert];
    if (row === undefined) throw new Error(`rules.cases.yml has no case for ${rule.alert}`);
    return Object.entries(scrapes).flatMap(([scrape, labelsOf]) => testsOf(rule, row, { scrape, labelsOf }));
  });
  return { rule_files: [rulesFile], evaluation_interval: '1m', tests };
}

type Way = { scrape: string; labelsOf: Scrape };

function testsOf(rule: Rule, row: Case, { scrape, labelsOf }: Way) {
  const ours = (series: Series, namespace = 'casewatch') =>
    placed(series, (service) => labelsOf(service, namespace));
  const foreign = (series: Series) =>
    placed(series, (service) => ({ ...labelsOf(service, 'shop'), job: 'shop' }));
  const alertIn = (namespace: string) => {
    const { instance = '', ...place } = labelsOf(row.alert.service ?? '', namespace);
    const known = { ...(place.namespace !== undefined && rule.alert !== 'NoMetrics' && { namespace }) };
    const own = Object.entries(row.alert).map(([name, value]) => [
      name,
      value.replace('$instance', instance),
    ]);
    return {
      exp_labels: { ...rule.labels, ...Object.fromEntries(own), ...known },
      exp_annotations: { summary: row.summary, runbook: rule.annotations.runbook },
    };
  };
  const test = (
    what: string,
    input_series: readonly object[],
    exp_alerts: readonly object[],
    eval_time = row.at,
  ) => ({
    name: `${rule.alert}, ${scrape}: ${what}`,
    interval: '1m',
    input_series,
    alert_rule_test: [{ eval_time, alertname: rule.alert, exp_alerts }],
  });
  const [healthy = {}] = row.silent;
  const tests = [
    ...[row.fires, ...(row.also ?? [])].map((series, i) =>
      test(`fires (${i + 1})`, [...ours(series), ...foreign(healthy)], [alertIn('casewatch')]),
    ),
    ...row.silent.map((series, i) => test(`silent (${i + 1})`, [...ours(series), ...foreign(row.fires)], [])),
  ];
  const minutes = minutesOf(rule.for);
  if (minutes > 1) tests.push(test('silent before its time', ours(row.fires), [], `${minutes - 1}m`));
  // It fires because nothing is there: whatever is there ends it.
  if (rule.alert === 'NoMetrics' || labelsOf('', 'a').namespace === undefined) return tests;
  const beside = [...ours(row.fires, 'casewatch-demo'), ...ours(healthy)];
  return [...tests, test('fires beside a healthy installation', beside, [alertIn('casewatch-demo')])];
}

/** Adds labels to `name{service="…",…}`. A label of the series wins: `instance` names a further replica. */
function placed(series: Series, labelsOf: (service: string) => Readonly<Record<string, string>>) {
  return Object.entries(series).map(([text, values]) => {
    const [, name, inner] = /^(\w+)\{(.*)\}$/.exec(text) ?? [];
    const own = Object.fromEntries(
      [...(inner ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value]),
    ) as Record<string, string>;
    if (name === undefined || own.service === undefined) throw new Error(`${text} has no label service`);
    // YAML reads a bare 0x20 as the number 32.
    if (typeof values !== 'string') throw new Error(`${text}: quote its values`);
    const labels = Object.entries({ ...labelsOf(own.service), ...own });
    return { series: `${name}{${labels.map(([label, value]) => `${label}="${value}"`).join(',')}}`, values };
  });
}

/** Of a rule's `for`: `5m`, `1h`. */
function minutesOf(text = '0m'): number {
  return Number.parseInt(text, 10) * (text.endsWith('h') ? 60 : 1);
}
