import { readConfig, runService } from '@casewatch/platform';
import { notifierConfig } from './config.ts';
import { startNotifier } from './service.ts';

await runService('notifier', (env) => startNotifier(readConfig(notifierConfig, env)));
