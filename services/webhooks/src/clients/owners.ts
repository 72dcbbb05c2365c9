import type { CaseReply, RequestData, UserReply } from '@casewatch/contracts';
import { ApiError, NotYetError } from '@casewatch/platform';
import type { Context } from '../context.ts';

/**
 * The case, once its owner knows what the event tells; null where it is deleted.
 * @throws NotYetError where its owner has not applied the change yet; ApiError service_unavailable
 */
export async function askCase(
  ctx: Context,
  caseId: number,
  isRecent: (reply: CaseReply) => boolean,
): Promise<CaseReply | null> {
  return ifRecent(await gone('case_not_found', ctx.bus.request('cases.case', { case_id: caseId })), isRecent);
}

/** The partner's user at that version or later; null where they are erased. Throws as askCase. */
export async function askUser(
  ctx: Context,
  user: RequestData<'identity.partner_user'>,
  version: number,
): Promise<UserReply | null> {
  const reply = await gone('user_not_found', ctx.bus.request('identity.partner_user', user));
  return ifRecent(reply, (known) => known.version >= version);
}

/** The reply, once its owner has applied the change that the event is about (architecture.md §4). */
function ifRecent<T>(reply: T | null, isRecent: (reply: T) => boolean): T | null {
  if (reply === null || isRecent(reply)) return reply;
  throw new NotYetError('the owner has not applied this change yet');
}

async function gone<T>(code: string, reply: Promise<T>): Promise<T | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  }
}
