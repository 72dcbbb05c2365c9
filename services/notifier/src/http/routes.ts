import type { OperationHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { twilioCallback } from './twilio-callback.ts';
import { unsubscribe } from './unsubscribe.ts';
import { unsubscribePage } from './unsubscribe-page.ts';

/** The operations that the notifier answers (libs/contracts, operations). */
export const routes: OperationHandlers<'notifier', Context> = {
  twilio_callback: twilioCallback,
  unsubscribe_page: unsubscribePage,
  unsubscribe,
};
