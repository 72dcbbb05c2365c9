/** Tries the dependencies of monitor from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { monitorChecks } from './checks.ts';
import { monitorConfig } from './config.ts';

await runPreflight({ name: 'monitor', config: monitorConfig }, monitorChecks);
