import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

const maxEndpoints = 10;
/** An endpoint that is disabled for longer was given up. */
const disabledMs = 7 * 24 * 60 * 60 * 1_000;

/** Endpoints of a partner that get nothing at the moment. */
export function answerFailing({ stores, clock }: Context): RequestHandler<'webhooks.failing'> {
  return async ({ partner_id }) => {
    const since = new Date(clock.now().getTime() - disabledMs);
    const rows = await stores.webhookHealth.failingOf(partner_id, since, maxEndpoints);
    return {
      endpoints: rows.flatMap(({ _id, url, disabled_at, failing_since }) => {
        const at = disabled_at ?? failing_since;
        // Paths and queries of endpoints can contain secrets.
        const host = new URL(url).host;
        return at ? [{ id: _id, host, disabled: disabled_at !== null, at: at.toISOString() }] : [];
      }),
    };
  };
}
