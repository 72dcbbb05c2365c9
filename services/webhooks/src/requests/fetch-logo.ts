import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { judgeUrl } from '../domain/webhook-url.ts';

/** Fetches a logo under the rules for endpoints: public addresses and allowed ports only. */
export function answerFetchLogo({ config, logos }: Context): RequestHandler<'webhooks.fetch_logo'> {
  const rules = { allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK, ports: config.WEBHOOKS_ALLOWED_PORTS };
  return async ({ url: text }) => {
    const judged = judgeUrl(text, rules);
    if (!('url' in judged)) return { outcome: 'refused', fault: 'address_not_allowed' };
    return await logos.fetch(judged.url);
  };
}
