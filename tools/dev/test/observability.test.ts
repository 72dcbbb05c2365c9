import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { metricNames, metricsPage } from '../src/metrics-table/metrics-page.ts';
import { ROOT } from '../src/options.ts';

type Rule = { alert: string; expr: string; annotations: { runbook: string } };
type Rules = { groups: { rules: Rule[] }[] };
type Board = { panels: { title: string; targets: { expr: string }[] }[] };
type RuleTests = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] };
type Compose = { services: Record<string, { profiles: string[]; volumes: string[] }> };
type Provisioning = { providers: { options: { path: string } }[] };

const folder = join(ROOT, 'deploy/observability');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const rules = (parse(read('prometheus/rules.yml')) as Rules).groups.flatMap((group) => group.rules);
const boards = globSync('grafana/boards/*.json', { cwd: folder }).map(
  (path) => [path, JSON.parse(read(path)) as Board] as const,
);

const functions =
  /^(sum|min|max|rate|increase|by|le|histogram_quantile|min_over_time|abs|timestamp|job|service|and|or|unless)$/;

/** The metrics of a PromQL expression: its words without labels, functions and numbers. */
function metricsOf(expr: string): string[] {
  const text = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ');
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

  it('has a runbook and a test of firing for each alert', () => {
    const sections = new Set(
      [...readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8').matchAll(/^## (\w+)$/gm)].map(
        ([, name]) => name,
      ),
    );
    const { tests } = parse(read('prometheus/rules.test.yml')) as RuleTests;
    // `npm run alerts` runs these tests.
    const firing = tests.flatMap((test) => test.alert_rule_test.filter((row) => row.exp_alerts.length > 0));
    const fired = firing.map(({ alertname }) => alertname);
    const names = rules.map(({ alert }) => alert);
    expect([...sections]).toEqual(names);
    expect([...new Set(fired)]).toEqual(names);
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
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
