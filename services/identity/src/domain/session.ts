/** A person's login session. Each refresh token is one generation of it. */
export type LoginSession = {
  readonly _id: string;
  readonly user_id: number;
  readonly partner_id: number | null;
  readonly generation: number;
  /** The pepper of this generation's refresh token. */
  readonly pepper_id: string;
  readonly rotated_at: Date;
  readonly signed_in_at: Date;
  readonly expires_at: Date;
  readonly idle_expires_at: Date;
  readonly ended_at: Date | null;
};

const day = 24 * 60 * 60 * 1000;
const maxMs = 30 * day;
const idleMs = 14 * day;

/** How long the previous refresh token still works, ms: two tabs, a lost answer (interface.md §4). */
const graceMs = 30_000;

type NewSession = {
  id: string;
  user: { _id: number; partner_id: number | null };
  pepperId: string;
  now: Date;
};

export function newSession({ id, user, pepperId, now }: NewSession): LoginSession {
  const expiresAt = new Date(now.getTime() + maxMs);
  return {
    _id: id,
    user_id: user._id,
    partner_id: user.partner_id,
    generation: 1,
    pepper_id: pepperId,
    rotated_at: now,
    signed_in_at: now,
    expires_at: expiresAt,
    idle_expires_at: idleEnd(expiresAt, now),
    ended_at: null,
  };
}

export function idsOfSession({ _id, user_id, partner_id }: LoginSession) {
  return { session_id: _id, user_id, ...(partner_id !== null && { partner_id }) };
}

export function idleEnd(expiresAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + idleMs, expiresAt.getTime()));
}

export function isLiveSession(session: LoginSession, now: Date): boolean {
  return session.ended_at === null && now < session.expires_at && now < session.idle_expires_at;
}

/** The answer to a refresh token of this generation: `rotate`, send the `successor` again, or end the session (`reused`). */
export function judgeGeneration(
  session: Pick<LoginSession, 'generation' | 'rotated_at'>,
  generation: number,
  now: Date,
): 'rotate' | 'successor' | 'reused' {
  if (generation === session.generation) return 'rotate';
  const isPredecessor = generation === session.generation - 1;
  const isRecent = now.getTime() - session.rotated_at.getTime() <= graceMs;
  return isPredecessor && isRecent ? 'successor' : 'reused';
}
