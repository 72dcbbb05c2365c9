/** Tries the dependencies of cases from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { mongodbCheck } from '@casewatch/platform/database';
import { casesConfig } from './config.ts';

await runPreflight({ name: 'cases', config: casesConfig }, [mongodbCheck('cases')]);
