import type { Check } from '@casewatch/platform';
import { mongodbCheck } from '@casewatch/platform/database';
import { sesCheck, smtpCheck, twilioCheck } from './admin/provider-checks.ts';
import type { NotifierConfig } from './config.ts';

/** What a preflight of notifier tries beside NATS and DNS. */
export const notifierChecks: readonly Check<NotifierConfig>[] = [
  mongodbCheck('notifier'),
  smtpCheck,
  twilioCheck,
  sesCheck,
];
