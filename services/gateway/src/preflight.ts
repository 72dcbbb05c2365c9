/** Tries the dependencies of gateway from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { gatewayConfig } from './config.ts';

await runPreflight({ name: 'gateway', config: gatewayConfig });
