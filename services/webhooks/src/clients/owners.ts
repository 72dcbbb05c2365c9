import type { CaseReply, RequestData, UserReply } from '@casewatch/contracts';
import { type Bus, NotYetError, orNull } from '@casewatch/platform';

/**
 * The case, once its owner knows what the event tells; null where it is deleted.
 * @throws NotYetError where its owner has not applied the change yet; ApiError service_unavailable
 */
export async function askCase(
  bus: Bus,
  caseId: number,
  isRecent: (reply: CaseReply) => boolean,
): Promise<CaseReply | null> {
  return ifRecent(await orNull(bus.request('cases.case', { case_id: caseId }), 'case_not_found'), isRecent);
}

/** The partner's user at that version or later; null where they are erased. Throws as askCase. */
export async function askUser(
  bus: Bus,
  user: RequestData<'identity.partner_user'>,
  version: number,
): Promise<UserReply | null> {
  const reply = await orNull(bus.request('identity.partner_user', user), 'user_not_found');
  return ifRecent(reply, (known) => known.version >= version);
}

/** The reply, once its owner has applied the change that the event is about (architecture.md §4). */
function ifRecent<T>(reply: T | null, isRecent: (reply: T) => boolean): T | null {
  if (reply === null || isRecent(reply)) return reply;
  throw new NotYetError('the owner has not applied this change yet');
}
