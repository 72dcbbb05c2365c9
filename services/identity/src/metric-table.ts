import type { MetricTable } from '@casewatch/platform';

export const identityMetrics = {
  'identity.login_code_failures': { kind: 'counter', description: 'Wrong login codes' },
} as const satisfies MetricTable;
