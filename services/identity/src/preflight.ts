/** Tries the dependencies of identity from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { identityChecks } from './checks.ts';
import { identityConfig } from './config.ts';

await runPreflight({ name: 'identity', config: identityConfig }, identityChecks);
