/** Tries the dependencies of cases from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { casesChecks } from './checks.ts';
import { casesConfig } from './config.ts';

await runPreflight({ name: 'cases', config: casesConfig }, casesChecks);
