import { readConfig, runService } from '@casewatch/platform';
import { gatewayConfig } from './config.ts';
import { startGateway } from './service.ts';

await runService('gateway', (env) => startGateway(readConfig(gatewayConfig, env)));
