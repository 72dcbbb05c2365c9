import type { PartnerReply } from '@casewatch/contracts';
import type { Partner } from '../store/partners.ts';
import { logoUrlOf, type PublicUrl } from './logo-url.ts';

/** A partner as other services see it. */
export function presentPartnerReply(at: PublicUrl, { _id, logo_name, ...partner }: Partner): PartnerReply {
  const copied = logo_name !== undefined && { shown_logo_url: logoUrlOf(at, { ...partner, logo_name }) };
  return { id: _id, ...partner, ...copied };
}
