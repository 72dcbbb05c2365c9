/** npm run rules: writes the PrometheusRule of deploy/k8s from the rules of deploy/observability. */
import { writeFileSync } from 'node:fs';
import { prometheusRule, prometheusRuleFile } from './prometheus-rule.ts';

writeFileSync(prometheusRuleFile, prometheusRule());
