import { readConfig, runService } from '@casewatch/platform';
import { identityConfig } from './config.ts';
import { startIdentity } from './service.ts';

await runService('identity', (env) => startIdentity(readConfig(identityConfig, env)));
