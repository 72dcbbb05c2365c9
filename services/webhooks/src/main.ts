import { readConfig, runService } from '@casewatch/platform';
import { webhooksConfig } from './config.ts';
import { startWebhooks } from './service.ts';

await runService('webhooks', (env) => startWebhooks(readConfig(webhooksConfig, env)));
