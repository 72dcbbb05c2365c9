/** Tries the dependencies of webhooks from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { webhooksChecks } from './checks.ts';
import { webhooksConfig } from './config.ts';

await runPreflight({ name: 'webhooks', config: webhooksConfig }, webhooksChecks);
