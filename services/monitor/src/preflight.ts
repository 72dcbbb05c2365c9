/** Tries the dependencies of monitor from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { mongodbCheck } from '@casewatch/platform/database';
import { tokenCheck } from './clients/token-check.ts';
import { monitorConfig } from './config.ts';

await runPreflight({ name: 'monitor', config: monitorConfig }, [mongodbCheck('monitor'), tokenCheck]);
