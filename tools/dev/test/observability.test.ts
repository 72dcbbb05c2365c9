import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { prometheusRule, prometheusRuleFile } from '../src/prometheus-rule/prometheus-rule.ts';
import { readCases, readRules, ruleTests } from '../src/alerts/rule-tests.ts';
import { storms } from '../src/alerts/storms.ts';
import { metricNames, metricsPage } from '../src/metrics-table/metrics-page.ts';
import { ROOT } from '../src/options.ts';

type Board = { panels: { title: string; targets: { expr: string }[] }[] };
type Compose = { services: Record<string, { profiles: string[]; volumes: string[] }> };
type Provisioning = { providers: { options: { path: string } }[] };

const folder = join(ROOT, 'deploy/observability');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const rules = readRules();
const boards = globSync('grafana/boards/*.json', { cwd: folder }).map(
  (path) => [path, JSON.parse(read(path)) as Board] as const,
);

const functions =
  /^(sum|min|max|group|rate|increase|by|on|without|le|histogram_quantile|min_over_time|abs|timestamp|label_replace|absent|and|or|unless)$/;

/** The metrics of a PromQL expression: its words without labels, functions and numbers. */
function metricsOf(expr: string): string[] {
  const text = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|(by|on|without) \([^)]*\)|"[^"]*"/g, ' ');
  const words = text.match(/[a-zA-Z_]\w*/g) ?? [];
  return words.filter((word) => !functions.test(word));
}

/** `up` is made by Prometheus itself. A histogram has three series. */
const known = new Set(['up', ...metricNames().flatMap((name) => [name, `${name}_bucket`, `${name}_count`])]);

const unknownIn = (expr: string) => metricsOf(expr).filter((name) => !known.has(name));

describe('observability', () => {
  it('documents the metrics of the code', () => {
    expect(readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')).toBe(metricsPage());
  });

  it('has alerts on metrics that exist', () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.every(({ expr }) => metricsOf(expr).length > 0)).toBe(true);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    expect(unknownIn('sum by (le) (rate(no_such_metric_bucket{lane="x"}[5m]))')).toEqual([
      'no_such_metric_bucket',
    ]);
  });

  it('has a runbook for each alert', () => {
    const sections = new Set(
      [...readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8').matchAll(/^## (\w+)$/gm)].map(
        ([, name]) => name,
      ),
    );
    expect([...sections]).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  });

  // `npm run alerts` runs these tests.
  it('has tests in which each alert fires and in which it is silent, with the labels of each scrape', () => {
    expect(Object.keys(readCases())).toEqual(rules.map(({ alert }) => alert));
    const { tests } = ruleTests(rules, readCases(), '/rules.yml');
    for (const { alert } of rules)
      for (const scrape of ['Docker Compose', 'PodMonitor', 'annotations']) {
        const own = tests.filter(({ name }) => name.startsWith(`${alert}, ${scrape}: `));
        const fires = own.filter(({ alert_rule_test: [row] }) => row?.exp_alerts.length === 1);
        expect([alert, scrape, fires.length > 0, own.length > fires.length]).toEqual([
          alert,
          scrape,
          true,
          true,
        ]);
      }
    const without = Object.fromEntries(
      Object.entries(readCases()).filter(([alert]) => alert !== 'DeadLetters'),
    );
    expect(() => ruleTests(rules, without, '/rules.yml')).toThrow('has no case for DeadLetters');
  });

  it('names the service in each alert, and looks at the series of Casewatch only', () => {
    for (const { alert, expr } of rules) {
      expect([alert, readCases()[alert]?.alert]).toEqual([
        alert,
        expect.objectContaining({ service: expect.any(String) }),
      ]);
      const selectors = [...expr.matchAll(/\b[a-z]\w+_\w+\{([^}]*)\}|\bup\{([^}]*)\}/g)].map(
        ([text]) => text,
      );
      expect(selectors.length).toBeGreaterThan(0);
      expect([alert, selectors.filter((text) => !text.includes('job="casewatch"'))]).toEqual([alert, []]);
    }
  });

  it('has the same rules as an object of the Prometheus Operator: npm run rules', () => {
    const written = readFileSync(prometheusRuleFile, 'utf8');
    expect(written).toBe(prometheusRule());
    const { spec } = parse(written) as { spec: unknown };
    expect(spec).toEqual(parse(read('prometheus/rules.yml')));
  });

  it('inhibits and groups alerts that exist', () => {
    const names = new Set(rules.map(({ alert }) => alert));
    const inhibited = [...read('alertmanager.yml').matchAll(/alertname=~?"([^"]+)"/g)].flatMap(
      ([, list]) => list?.split('|') ?? [],
    );
    expect(inhibited.length).toBeGreaterThan(10);
    const stormy = storms.flatMap(({ alerts }) => alerts.map(({ alertname }) => alertname ?? ''));
    expect([...inhibited, ...stormy].filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(boards)('has a board of metrics that exist: %s', (_path, { panels }) => {
    expect(panels.flatMap(({ targets }) => targets).every(({ expr }) => metricsOf(expr).length > 0)).toBe(
      true,
    );
    const unknown = panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) => unknownIn(expr).map((name) => `${title}: ${name}`)),
    );
    expect(unknown).toEqual([]);
  });

  it('has compose services that are only in its profile, and mount what exists', () => {
    const { services } = parse(read('docker-compose.yml')) as Compose;
    expect(Object.keys(services)).toEqual(['prometheus', 'grafana']);
    for (const { profiles, volumes } of Object.values(services)) {
      expect(profiles).toEqual(['observability']);
      const sources = volumes.map((volume) => volume.split(':')[0] ?? '');
      expect(sources.filter((source) => source.startsWith('.'))).not.toEqual([]);
      for (const source of sources)
        if (source.startsWith('.')) expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
    }
    const provided = services.grafana?.volumes.map((volume) => volume.split(':')[1]);
    const { providers } = parse(read('grafana/provisioning/dashboards/boards.yml')) as Provisioning;
    expect(providers.map(({ options }) => provided?.includes(options.path))).toEqual([true]);
  });
});
