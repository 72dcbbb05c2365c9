import type { FetchLogoReply } from '@casewatch/contracts';
import type { Bus, Logger } from '@casewatch/platform';

/** The logo at an address that a partner chose. Without an answer of webhooks it counts as not reachable. */
export async function fetchLogo(
  { bus, log }: { bus: Bus; log: Logger },
  url: string,
): Promise<FetchLogoReply> {
  try {
    return await bus.request('webhooks.fetch_logo', { url });
  } catch (error) {
    log.warn({ err: error }, 'webhooks.fetch_logo unavailable; the logo is not shown');
    return { outcome: 'refused', fault: 'not_reachable' };
  }
}
