import type { CaseReply, RequestData, UserReply } from '@casewatch/contracts';
import { type Bus, NotYetError, orNull } from '@casewatch/platform';

/** Null if the case is deleted. @throws NotYetError if cases has not applied the event's change yet */
export async function fetchCase(
  bus: Bus,
  case_id: number,
  isCurrent: (reply: CaseReply) => boolean = () => true,
): Promise<CaseReply | null> {
  return assertCurrent(await orNull(bus.request('cases.case', { case_id }), 'case_not_found'), isCurrent);
}

/** The user at `version` or later. */
export async function fetchUser(
  bus: Bus,
  user: RequestData<'identity.partner_user'>,
  version: number,
): Promise<UserReply | null> {
  const reply = await orNull(bus.request('identity.partner_user', user), 'user_not_found');
  return assertCurrent(reply, (current) => current.version >= version);
}

function assertCurrent<T>(reply: T | null, isCurrent: (reply: T) => boolean): T | null {
  if (reply === null || isCurrent(reply)) return reply;
  throw new NotYetError('the owner has not applied this change yet');
}
