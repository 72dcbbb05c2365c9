/** Tries the dependencies of identity from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { mongodbCheck } from '@casewatch/platform/database';
import { identityConfig } from './config.ts';

await runPreflight({ name: 'identity', config: identityConfig }, [mongodbCheck('identity')]);
