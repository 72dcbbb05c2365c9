/** Tries the dependencies of notifier from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { notifierChecks } from './checks.ts';
import { notifierConfig } from './config.ts';

await runPreflight({ name: 'notifier', config: notifierConfig }, notifierChecks);
