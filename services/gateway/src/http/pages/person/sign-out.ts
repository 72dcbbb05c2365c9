import { ApiError } from '@casewatch/platform';
import { askServices } from '../ask-service.ts';
import type { EntryVisit } from './entry-visit.ts';

/** Longest time for identity to answer, ms. */
const askMs = 2_500;

export async function signOut(visit: EntryVisit): Promise<void> {
  const { kind, res } = visit;
  try {
    await endFormerSession(visit);
  } finally {
    kind.forget(res);
  }
  res.set('clear-site-data', '"cache"').redirect(303, '/signed-out');
}

/** Ends the session of the browser's cookies, if there is one. */
export async function endFormerSession({ ctx, kind, req, res }: EntryVisit): Promise<void> {
  if (!kind.hasCookie(req)) return;
  try {
    const { principal } = await kind.load(req, res, () => {});
    const caller = `user ${principal.user_id}`;
    const signal = AbortSignal.timeout(askMs);
    const ask = askServices(ctx, { principal, address: req.ip ?? 'unknown', caller, signal });
    await ask('log_out', { body: { all_sessions: false } });
  } catch (error) {
    // A session that has ended already needs no end.
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
  } finally {
    // A token that was renewed just now.
    res.removeHeader('set-cookie');
  }
}
