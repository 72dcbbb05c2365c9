import type { OperationHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { emailCallback } from './email-callback.ts';
import { twilioCallback } from './twilio-callback.ts';
import { unsubscribe, unsubscribePage } from './unsubscribe.ts';

export const routes: OperationHandlers<'notifier', Context> = {
  twilio_callback: twilioCallback,
  email_callback: emailCallback,
  unsubscribe_page: unsubscribePage,
  unsubscribe,
};
