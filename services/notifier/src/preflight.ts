/** Tries the dependencies of notifier from where it runs: npm run preflight, or components/preflight. */
import { runPreflight } from '@casewatch/platform';
import { mongodbCheck } from '@casewatch/platform/database';
import { smtpCheck, twilioCheck } from './admin/provider-checks.ts';
import { notifierConfig } from './config.ts';

await runPreflight({ name: 'notifier', config: notifierConfig }, [
  mongodbCheck('notifier'),
  smtpCheck,
  twilioCheck,
]);
