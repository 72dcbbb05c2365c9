import { readConfig, runService } from '@casewatch/platform';
import { monitorConfig } from './config.ts';
import { startMonitor } from './service.ts';

await runService('monitor', (env) => startMonitor(readConfig(monitorConfig, env)));
