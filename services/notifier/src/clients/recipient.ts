import type { PartnerReply, UserReply } from '@casewatch/contracts';
import { type Bus, orNull } from '@casewatch/platform';

/** Who is to be told, as their owners know them at this moment; nothing of it is kept. */
export type Recipient = {
  /** Null: deleted. */
  user: UserReply | null;
  /** Null for a direct user. */
  partner: PartnerReply | null;
  /** False also where the case is gone. */
  caseActive: boolean;
};

/**
 * Asks identity for the user and their partner, and cases whether the case is active.
 * @throws ApiError service_unavailable and the like: ask again later
 */
export async function askRecipient(
  bus: Bus,
  { user_id, case_id }: { user_id: number; case_id: number },
): Promise<Recipient> {
  const [user, reply] = await Promise.all([
    orNull(bus.request('identity.user', { user_id }), 'user_not_found'),
    orNull(bus.request('cases.case', { case_id }), 'case_not_found'),
  ]);
  const partner_id = user?.partner_id ?? null;
  const partner = partner_id === null ? null : await bus.request('identity.partner', { partner_id });
  return { user, partner, caseActive: reply?.case.active ?? false };
}
