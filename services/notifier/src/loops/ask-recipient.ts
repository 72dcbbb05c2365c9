import type { PartnerReply, UserReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { NotifierContext } from '../context.ts';
import type { NotificationRow } from '../store/notification-row.ts';

/** Who is to be told, as their owners know them at this moment; nothing of it is kept. */
export type Recipient = {
  /** Null: deleted. */
  user: UserReply | null;
  partner: PartnerReply | null;
  caseActive: boolean;
};

/**
 * Asks identity for the user and their partner, and cases whether the case is active.
 * @throws ApiError service_unavailable and the like: ask again later
 */
export async function askRecipient(ctx: NotifierContext, row: NotificationRow): Promise<Recipient> {
  const [user, about] = await Promise.all([
    unlessGone(ctx.bus.request('identity.user', { user_id: row.user_id })),
    unlessGone(ctx.bus.request('cases.case', { case_id: row.case_id })),
  ]);
  const partnerId = user?.partner_id ?? null;
  const partner =
    partnerId === null
      ? null
      : await unlessGone(ctx.bus.request('identity.partner', { partner_id: partnerId }));
  return { user, partner, caseActive: about?.case.active ?? false };
}

async function unlessGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
