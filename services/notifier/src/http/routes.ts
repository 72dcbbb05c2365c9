import type { Handlers } from '@casewatch/platform';
import type { NotifierContext } from '../context.ts';
import { twilioCallback } from './twilio-callback.ts';
import { unsubscribe } from './unsubscribe.ts';
import { unsubscribePage } from './unsubscribe-page.ts';

/** Every operation of the notifier and its code. */
export function routes(ctx: NotifierContext): Handlers<'notifier'> {
  return {
    twilio_callback: twilioCallback(ctx),
    unsubscribe_page: unsubscribePage(ctx),
    unsubscribe: unsubscribe(ctx),
  };
}
