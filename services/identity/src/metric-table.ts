import { counter, type MetricTable } from '@casewatch/platform';

export const identityMetrics = {
  'identity.login_code_failures': counter('Wrong login codes'),
} satisfies MetricTable;
