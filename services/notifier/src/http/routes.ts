import type { OperationHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { staffAlertsOff, staffAlertsPage } from './alerts-off.ts';
import { emailCallback } from './email-callback.ts';
import { listSuppressions } from './list-suppressions.ts';
import { twilioCallback } from './twilio-callback.ts';
import { unsubscribe, unsubscribePage } from './unsubscribe.ts';

export const routes: OperationHandlers<'notifier', Context> = {
  twilio_callback: twilioCallback,
  email_callback: emailCallback,
  list_suppressions: listSuppressions,
  unsubscribe_page: unsubscribePage,
  unsubscribe,
  staff_alerts_page: staffAlertsPage,
  staff_alerts_off: staffAlertsOff,
};
