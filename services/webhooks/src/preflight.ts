/** Tries the dependencies of webhooks from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { mongodbCheck } from '@casewatch/platform/database';
import { webhooksConfig } from './config.ts';

await runPreflight({ name: 'webhooks', config: webhooksConfig }, [mongodbCheck('webhooks')]);
