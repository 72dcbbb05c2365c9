import { readConfig, runService } from '@casewatch/platform';
import { casesConfig } from './config.ts';
import { startCases } from './service.ts';

await runService('cases', (env) => startCases(readConfig(casesConfig, env)));
