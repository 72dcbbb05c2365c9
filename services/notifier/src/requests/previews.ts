import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { mailPreviews } from '../templates/previews.ts';

/** The mails that people of a partner get, for its console. */
export function answerPreviews({ config }: Context): RequestHandler<'notifier.previews'> {
  return async ({ language, partner }) => ({
    mails: mailPreviews({ language, partner, publicUrl: config.PUBLIC_URL }),
  });
}
