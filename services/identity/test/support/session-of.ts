import type { UserPrincipal } from '@casewatch/contracts';
import type { SignedIn } from './sign-in.ts';
import type { TestIdentity } from './start-identity.ts';

/** The caller that the gateway makes of a session: with its own id, signed in now. */
export function asSession(
  user: { id: number },
  { sessionId }: SignedIn,
  partnerId: number | null,
): UserPrincipal {
  return {
    kind: 'user',
    user_id: user.id,
    partner_id: partnerId,
    session_id: sessionId,
    signed_in_at: Math.floor(Date.now() / 1000),
  };
}

/** When a session ended; null while it lasts. */
export async function endOf(identity: TestIdentity, { sessionId }: SignedIn): Promise<Date | null> {
  const row = await identity.db.collection('sessions').findOne({ _id: sessionId as never });
  if (!row) throw new Error('there is no such session');
  return row.ended_at as Date | null;
}

/** What gateways are told not to trust any more, oldest first, as `kind:id`. */
export async function revocationsOf(identity: TestIdentity): Promise<string[]> {
  const rows = identity.db.collection('revocations').find({ _id: { $gt: 0 as never } });
  return (await rows.sort({ _id: 1 }).toArray()).map(({ kind, of }) => `${String(kind)}:${String(of)}`);
}
