import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../options.ts';
import { rulesFolder } from '../alerts/rule-tests.ts';

export const prometheusRuleFile = join(ROOT, 'deploy/k8s/components/prometheus-operator/rules.yaml');

/** rules.yml as an object of the Prometheus Operator: the same groups, word by word. */
export function prometheusRule(): string {
  const rules = readFileSync(join(rulesFolder, 'rules.yml'), 'utf8');
  const groups = rules.slice(rules.indexOf('groups:'));
  const indented = groups.replaceAll(/^(?=.)/gm, '  ').trimEnd();
  return `# Written by npm run rules from deploy/observability/prometheus/rules.yml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: casewatch
spec:
${indented}
`;
}
