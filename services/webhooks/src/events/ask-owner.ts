import { setTimeout as delay } from 'node:timers/promises';
import type { CaseReply, RequestData, UserReply } from '@casewatch/contracts';
import { ApiError, LaterError } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** How often and how quickly an owner is asked again that has not applied the change itself (architecture.md §4). */
const asks = 10;
const againMs = 50;

/**
 * The case, once its owner knows what the event tells; null where it is deleted.
 * @throws LaterError if the owner stays behind; ApiError service_unavailable
 */
export async function askCase(
  ctx: Context,
  caseId: number,
  isRecent: (reply: CaseReply) => boolean,
): Promise<CaseReply | null> {
  return await askUntil(
    () => gone('case_not_found', ctx.bus.request('cases.case', { case_id: caseId })),
    isRecent,
  );
}

/** The partner's user at that version or later; null where they are erased. Throws as askCase. */
export async function askUser(
  ctx: Context,
  user: RequestData<'identity.partner_user'>,
  version: number,
): Promise<UserReply | null> {
  const ask = () => gone('user_not_found', ctx.bus.request('identity.partner_user', user));
  return await askUntil(ask, (reply) => reply.version >= version);
}

async function askUntil<T>(ask: () => Promise<T | null>, isRecent: (reply: T) => boolean): Promise<T | null> {
  for (let asked = 0; asked < asks; asked++) {
    if (asked > 0) await delay(againMs);
    const reply = await ask();
    if (reply === null || isRecent(reply)) return reply;
  }
  throw new LaterError('the owner has not applied this change yet');
}

async function gone<T>(code: string, reply: Promise<T>): Promise<T | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  }
}
